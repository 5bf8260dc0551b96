import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../clock/index.ts';
import type { Config, Environment } from '../../config/index.ts';
import { connectInstallation } from '../connect-installation.ts';
import type { Finding } from '../finding.ts';
import { findBackupCompleted } from './queries.ts';

/**
 * Whether there is a recent backup. The database records those made by Seathold. Other backup jobs touch the file
 * `last-backup` in the data folder; an external database may be backed up without it.
 */
export async function examineBackup(
  environment: Environment,
  { dataDir, databaseUrl }: Config,
  nowMs = systemClock.nowMs(),
): Promise<Finding> {
  const path = join(dataDir, 'last-backup');
  const mark = await stat(path).catch(() => undefined);
  const times = [mark?.mtimeMs, await findCompleted(environment)].filter((each) => each !== undefined);
  if (times.length === 0) {
    const advice = `set SEATHOLD_BACKUP_SCHEDULE, run \`seathold backup create\`, or end your own backup job with: touch ${path}`;
    return databaseUrl === undefined
      ? { check: 'backup', ok: false, detail: `no backup on record; ${advice}` }
      : {
          check: 'backup',
          ok: true,
          isWarning: true,
          detail: `cannot tell whether the external databases are backed up; ${advice}`,
        };
  }
  const hours = Math.floor((nowMs - Math.max(...times)) / 3_600_000);
  return hours > MOST_HOURS
    ? { check: 'backup', ok: false, detail: `the last backup is ${hours} hours old` }
    : { check: 'backup', ok: true, detail: `${hours} hours old` };
}

/** Allows for a nightly backup, and one failure. */
const MOST_HOURS = 48;

async function findCompleted(environment: Environment): Promise<number | undefined> {
  try {
    const installation = await connectInstallation(environment, 'production');
    try {
      return (await findBackupCompleted(installation.database))?.completed_ms ?? undefined;
    } finally {
      await installation.close();
    }
  } catch {
    // Another line reports why it cannot be reached.
    return undefined;
  }
}
