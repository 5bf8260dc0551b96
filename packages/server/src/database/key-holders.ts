import { randomUUID } from 'node:crypto';
import type { MasterKey } from '../security/index.ts';
import type { Queries } from './database.ts';
import { maybeOne, statement } from './statement.ts';

/** How often a process reads which master key encrypts, and registers which keys it has. */
export const FOLLOW_KEYS_EVERY_MS = 2_000;

/**
 * Keeps a process's master keys in line with the database, and registers there which it has, so that a new key encrypts
 * only after every process can decrypt with it (decision 0027).
 */
export class KeyHolder {
  /** The keys of this database. */
  readonly masterKey: MasterKey;
  readonly #processId = randomUUID();

  constructor(masterKey: MasterKey) {
    this.masterKey = masterKey;
  }

  /**
   * Throws if the process does not have the key that encrypts now: it would continue to write with one that is about to
   * be removed.
   */
  async follow(database: Queries): Promise<void> {
    this.masterKey.refresh();
    const { activeId } = this.masterKey;
    const active = await this.#register(database);
    if (active === undefined) {
      return;
    }
    if (!this.masterKey.activate(active.key_id)) {
      throw new Error(`this process does not have the active master key ${active.key_id}`);
    }
    if (this.masterKey.activeId !== activeId) {
      await this.#register(database);
    }
  }

  /** Registers the keys of this process. Returns the key that encrypts now. */
  #register(database: Queries): Promise<{ key_id: string } | undefined> {
    const { keyIds, activeId: activeKeyId } = this.masterKey;
    return upsertHolder(database, { processId: this.#processId, keyIds, activeKeyId });
  }

  /** Deregisters the process, which encrypts nothing after that. */
  async leave(database: Queries): Promise<void> {
    await deleteHolder(database, { processId: this.#processId });
  }
}

/** Also forgets processes that were killed a day ago. */
const upsertHolder = statement({
  name: 'upsert_master_key_holder',
  parameters: { processId: 'text', keyIds: 'text[]', activeKeyId: 'text' },
  returns: maybeOne<{ key_id: string }>(),
  sql: ({ processId, keyIds, activeKeyId }) => `
    with gone as (
      delete from master_key_holders where seen_at < (select clock_timestamp() - interval '1 day')
    ), registered as (
      insert into master_key_holders (process_id, key_ids, active_key_id, seen_at)
      values (${processId}, ${keyIds}, ${activeKeyId}, clock_timestamp())
      on conflict (process_id) do update set
        key_ids = excluded.key_ids, active_key_id = excluded.active_key_id, seen_at = excluded.seen_at
    )
    select key_id from master_keys where is_active`,
});

const deleteHolder = statement({
  name: 'delete_master_key_holder',
  parameters: { processId: 'text' },
  sql: ({ processId }) => `delete from master_key_holders where process_id = ${processId}`,
});
