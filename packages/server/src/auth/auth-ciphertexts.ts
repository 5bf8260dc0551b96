import { defineEncryptedColumn, type EncryptedColumn } from '../database/index.ts';
import { SECRET_PURPOSE } from './two-factor/spend-code.ts';

/**
 * What this room keeps encrypted under the master key. The stored responses to refresh tokens are not included: they
 * are encrypted under the refresh token itself, which is not stored.
 */
export const AUTH_CIPHERTEXTS: readonly EncryptedColumn[] = [
  defineEncryptedColumn({
    table: 'two_factor_secrets',
    column: 'secret',
    key: [['user_id', 'text']],
    purpose: SECRET_PURPOSE,
    contextOf: ([userId]) => String(userId),
  }),
];
