import type { Statement } from '../../database/index.ts';

/** Held while the key file is changed, so that two commands change it one after the other. */
export const LOCK_INSTALLATION: Statement<never> = {
  name: 'lock_installation',
  text: `select id from installation where id = 'this' for update`,
};

/** Processes that encrypt: those with a recent sign of life. $1: for how many seconds a silent one counts. */
export const LIST_KEY_HOLDERS: Statement<{ process_id: string; key_ids: string[]; active_key_id: string }> = {
  name: 'list_master_key_holders',
  text: `select process_id, key_ids, active_key_id from master_key_holders
    where seen_at > (select clock_timestamp() - $1 * interval '1 second') order by process_id`,
};

export const UPDATE_KEYS_INACTIVE: Statement<never> = {
  name: 'update_master_keys_inactive',
  text: 'update master_keys set is_active = false where is_active and key_id <> $1',
};

/** Lets $1 encrypt from now on, in the transaction that took the right from the key before it. */
export const UPSERT_ACTIVE_KEY: Statement<never> = {
  name: 'upsert_active_master_key',
  text: `insert into master_keys (key_id, is_active, created_at) values ($1, true, $2)
    on conflict (key_id) do update set is_active = true, completed_at = null`,
};

export const UPDATE_KEY_COMPLETED: Statement<{ key_id: string }> = {
  name: 'update_master_key_completed',
  text: 'update master_keys set completed_at = $2 where key_id = $1 and is_active and completed_at is null returning key_id',
};

export const DELETE_RETIRED_KEYS: Statement<{ key_id: string }> = {
  name: 'delete_retired_master_keys',
  text: 'delete from master_keys where not is_active returning key_id',
};
