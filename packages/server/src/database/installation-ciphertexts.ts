import { defineEncryptedColumn, type EncryptedColumn } from './encrypted-column.ts';
import { DERIVED_KEYS_PURPOSE, KEY_CHECK_PURPOSE } from './key-check.ts';

/** The encrypted columns of this foundation. */
export const INSTALLATION_CIPHERTEXTS: readonly EncryptedColumn[] = [
  { column: 'key_check', purpose: KEY_CHECK_PURPOSE },
  { column: 'derived_keys', purpose: DERIVED_KEYS_PURPOSE },
].map((each) =>
  defineEncryptedColumn({ ...each, table: 'installation', key: [['id', 'text']], contextOf: ([id]) => String(id) }),
);
