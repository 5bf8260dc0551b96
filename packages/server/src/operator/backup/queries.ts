import { exists, maybeOne, milliseconds, statement } from '../../database/index.ts';

/**
 * Claims the backup of a slot, unless it was already made or another process is making it. The claim is temporary, and
 * the same process may renew it.
 */
export const claimBackup = statement({
  name: 'claim_backup',
  parameters: { processId: 'text', slot: 'instant', at: 'instant', until: 'instant' },
  returns: exists(),
  sql: ({ processId, slot, at, until }) => `
    update backup_runs set claimed_by = ${processId}, claimed_until = ${until}
    where id = 'this' and (slot is null or slot < ${slot})
      and (claimed_until is null or claimed_until < ${at} or claimed_by = ${processId})
    returning id`,
});

/** Ends the claim of a process: the backup of this slot is complete. */
export const updateBackupCompleted = statement({
  name: 'update_backup_completed',
  parameters: { processId: 'text', slot: 'instant', at: 'instant' },
  sql: ({ processId, slot, at }) => `
    update backup_runs set slot = ${slot}, completed_at = ${at}, claimed_by = null, claimed_until = null
    where id = 'this' and claimed_by = ${processId}`,
});

/** Ends the claim of a process without a backup, so that another one may try. */
export const updateBackupReleased = statement({
  name: 'update_backup_released',
  parameters: { processId: 'text' },
  sql: ({ processId }) => `
    update backup_runs set claimed_by = null, claimed_until = null where id = 'this' and claimed_by = ${processId}`,
});

/** Records that a command made a backup. */
export const updateBackupNoted = statement({
  name: 'update_backup_noted',
  parameters: { at: 'instant' },
  sql: ({ at }) => `update backup_runs set completed_at = ${at} where id = 'this'`,
});

/** When the newest backup was complete; null if none ever was. */
export const findBackupCompleted = statement({
  name: 'find_backup_completed',
  returns: maybeOne<{ completed_ms: number | null }>(),
  sql: () => `select ${milliseconds('completed_at')} as completed_ms from backup_runs where id = 'this'`,
});
