import { randomBytes } from 'node:crypto';
import { defineEncryptedColumn, type EncryptedColumn } from '../../database/index.ts';
import type { MasterKey } from '../../security/index.ts';

/**
 * A new signing secret: `whsec_` and base64 of 32 random bytes, so that every stock library accepts it (contract §4).
 */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** A secret as stored: encrypted, and only valid for the row with this identifier. */
export function encryptSecret(masterKey: MasterKey, id: string, secret: string): Buffer {
  return masterKey.encrypt(PURPOSE, id, secret);
}

/** The reverse. Throws if it was changed, or written under another master key. */
export function decryptSecret(masterKey: MasterKey, id: string, sealed: Buffer): string {
  return masterKey.decrypt(PURPOSE, id, sealed);
}

const PURPOSE = 'webhook-secret';

/** The encrypted columns of this room. */
export const WEBHOOK_CIPHERTEXTS: readonly EncryptedColumn[] = [
  defineEncryptedColumn({
    table: 'webhook_secrets',
    column: 'secret',
    key: [
      ['organization_id', 'text'],
      ['endpoint_id', 'text'],
      ['id', 'text'],
    ],
    purpose: PURPOSE,
    contextOf: ([, , id]) => String(id),
  }),
];
