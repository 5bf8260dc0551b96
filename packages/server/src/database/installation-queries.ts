import { count, exists, many, statement } from './statement.ts';

/** Returns true once in the life of a database: the process that gets it creates the demonstration. */
export const claimDemonstration = statement({
  name: 'claim_demonstration',
  returns: exists(),
  sql: () => `
    update installation set has_demonstration = true where id = 'this' and not has_demonstration returning id`,
});

/** Returns true once in the life of a database: the process that gets it creates the link for the first owner. */
export const claimFirstOwnerLink = statement({
  name: 'claim_first_owner_link',
  returns: exists(),
  sql: () => `
    update installation set has_first_owner_link = true where id = 'this' and not has_first_owner_link returning id`,
});

/** Held while the key file is changed, so that two commands change it one after the other. */
export const lockInstallation = statement({
  name: 'lock_installation',
  sql: () => `select id from installation where id = 'this' for update`,
});

/** Processes that encrypt: those with a heartbeat in the last seconds. */
export const listMasterKeyHolders = statement({
  name: 'list_master_key_holders',
  parameters: { withinSeconds: 'float8' },
  returns: many<MasterKeyHolder>(),
  sql: ({ withinSeconds }) => `
    select process_id, key_ids, active_key_id from master_key_holders
    where seen_at > (select clock_timestamp() - ${withinSeconds} * interval '1 second') order by process_id`,
});

export interface MasterKeyHolder {
  process_id: string;
  key_ids: string[];
  active_key_id: string;
}

/** Stops all other keys from encrypting. */
export const updateOtherMasterKeysInactive = statement({
  name: 'update_master_keys_inactive',
  parameters: { keyId: 'text' },
  sql: ({ keyId }) => `update master_keys set is_active = false where is_active and key_id <> ${keyId}`,
});

/** Makes a key the encrypting one, in the transaction that deactivated the previous key. */
export const upsertActiveMasterKey = statement({
  name: 'upsert_active_master_key',
  parameters: { keyId: 'text', atMs: 'instant' },
  sql: ({ keyId, atMs }) => `
    insert into master_keys (key_id, is_active, created_at) values (${keyId}, true, ${atMs})
    on conflict (key_id) do update set is_active = true, completed_at = null`,
});

/** Everything is encrypted under the active key; counts 0 if that was known. */
export const updateMasterKeyCompleted = statement({
  name: 'update_master_key_completed',
  parameters: { keyId: 'text', atMs: 'instant' },
  returns: count(),
  sql: ({ keyId, atMs }) => `
    update master_keys set completed_at = ${atMs}
    where key_id = ${keyId} and is_active and completed_at is null`,
});

/** Deletes the keys that do not encrypt, and returns them. */
export const deleteInactiveMasterKeys = statement({
  name: 'delete_retired_master_keys',
  returns: many<{ key_id: string }>(),
  sql: () => 'delete from master_keys where not is_active returning key_id',
});
