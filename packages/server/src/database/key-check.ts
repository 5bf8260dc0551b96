import type { MasterKey } from '../security/index.ts';
import type { Queries, Statement } from './database.ts';

/**
 * Makes sure that this process holds the master key that the database's secrets are encrypted with; the first one to
 * come leaves its mark. Throws one clear sentence when the key is another one.
 */
export async function checkMasterKey(database: Queries, masterKey: MasterKey): Promise<void> {
  await database.query(INSERT_KEY_CHECK, [masterKey.encrypt(PURPOSE, ID, PLAIN)]);
  const [row] = await database.query(FIND_KEY_CHECK, []);
  try {
    if (row !== undefined && masterKey.decrypt(PURPOSE, ID, row.key_check) === PLAIN) {
      return;
    }
  } catch {
    // Told below: authentication fails exactly when the key is another one.
  }
  throw new Error(
    'The master key is not the one that this database was first used with. Set SEATHOLD_MASTER_KEY, or restore master.key in the data folder.',
  );
}

const PURPOSE = 'key-check';
const ID = 'this';
const PLAIN = 'seathold';

const INSERT_KEY_CHECK: Statement<never> = {
  name: 'insert_key_check',
  text: `insert into installation (id, key_check, created_at) values ('this', $1, clock_timestamp())
    on conflict (id) do nothing`,
};

const FIND_KEY_CHECK: Statement<{ key_check: Buffer }> = {
  name: 'find_key_check',
  text: `select key_check from installation where id = 'this'`,
};
