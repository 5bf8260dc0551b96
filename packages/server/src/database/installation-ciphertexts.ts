import { DERIVED_KEYS_PURPOSE, KEY_CHECK_PURPOSE } from './key-check.ts';
import type { EncryptedColumn } from './reencrypt.ts';

/** The encrypted columns of this foundation. */
export const INSTALLATION_CIPHERTEXTS: readonly EncryptedColumn[] = [
  { column: 'key_check', purpose: KEY_CHECK_PURPOSE },
  { column: 'derived_keys', purpose: DERIVED_KEYS_PURPOSE },
].map((each) => ({ ...each, table: 'installation', key: [['id', 'text']], contextOf: ([id]) => String(id) }));
