import { AUTH_CIPHERTEXTS } from '../../auth/index.ts';
import { countKeyUse, type EncryptedColumn, INSTALLATION_CIPHERTEXTS, type Queries } from '../../database/index.ts';
import { IDEMPOTENCY_CIPHERTEXTS } from '../../http/index.ts';
import { LICENSING_CIPHERTEXTS } from '../../licensing/index.ts';
import { MAIL_CIPHERTEXTS } from '../../mail/index.ts';
import { OAUTH_CIPHERTEXTS } from '../../oauth/index.ts';
import { WEBHOOK_CIPHERTEXTS } from '../../webhooks/index.ts';

/** All columns encrypted under the master key. A test compares this list with the schema. */
export const CIPHERTEXTS: readonly EncryptedColumn[] = [
  ...INSTALLATION_CIPHERTEXTS,
  ...LICENSING_CIPHERTEXTS,
  ...AUTH_CIPHERTEXTS,
  ...OAUTH_CIPHERTEXTS,
  ...WEBHOOK_CIPHERTEXTS,
  ...MAIL_CIPHERTEXTS,
  ...IDEMPOTENCY_CIPHERTEXTS,
];

/** Counts a database's ciphertexts by key; those without a key name under `unnamed`. */
export async function countCiphertextsByKey(database: Queries): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const column of CIPHERTEXTS) {
    for (const [keyId, count] of await countKeyUse(database, column)) {
      counts.set(keyId, (counts.get(keyId) ?? 0) + count);
    }
  }
  return counts;
}
