import { defineEncryptedColumn, type EncryptedColumn } from '../database/index.ts';
import { SECRET_PURPOSE } from './two-factor/spend-code.ts';

/**
 * What this room keeps encrypted under the master key. The answers kept for refresh tokens are not among it: they are
 * encrypted under the token that got them, which is kept nowhere.
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
