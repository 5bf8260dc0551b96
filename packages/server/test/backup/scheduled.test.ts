import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { checkMasterKey } from '../../src/database/index.ts';
import type { Job } from '../../src/jobs/index.ts';
import { createLogger } from '../../src/log/index.ts';
import { listEntries } from '../../src/operator/backup/list-entries.ts';
import { loadBackup } from '../../src/operator/backup/load-backup.ts';
import { scheduledBackupJob } from '../../src/operator/backup/scheduled-backups.ts';
import { MasterKey } from '../../src/security/index.ts';
import { createTest } from '../harness/fixtures.ts';
import { execute } from '../harness/index.ts';

const secret = randomBytes(32);

const it = createTest()
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'seathold-scheduled-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return folder;
  })
  // The job of one process of a service with this schedule.
  .extend('startJob', async ({ app, folder }) => {
    await checkMasterKey(app.database, new MasterKey(secret));
    await execute(app.database, 'update backup_runs set slot = null, claimed_by = null, claimed_until = null');
    return (own: Readonly<Record<string, string>> = {}): Job => {
      const { config, problems } = loadConfig({
        DATABASE_URL: app.databaseUrl,
        SEATHOLD_SANDBOX: 'off',
        SEATHOLD_MASTER_KEY: secret.toString('base64'),
        SEATHOLD_DATA_DIR: join(folder, 'data'),
        SEATHOLD_BACKUP_SCHEDULE: 'every 1h',
        SEATHOLD_BACKUP_DIR: join(folder, 'kept'),
        SEATHOLD_BACKUP_KEEP: '2',
        ...own,
      });
      if (config === undefined) {
        throw new Error(JSON.stringify(problems));
      }
      const log = createLogger('silent', { write: () => undefined });
      const job = scheduledBackupJob({ database: app.database, config, log, version: '0.0.0-test' });
      onTestFinished(() => job?.finish?.());
      return job ?? expect.fail('there is no job');
    };
  })
  .extend(
    'kept',
    ({ folder }) =>
      async () =>
        (await readdir(join(folder, 'kept')).catch(() => [])).sort(),
  )
  .extend('untilMade', ({ app }) => async (slots = 1) => {
    const made = 'select 1 from backup_runs where slot is not null and claimed_by is null';
    await expect.poll(() => execute(app.database, made)).toHaveLength(slots);
  });

it('of two processes, one makes the due backup, and neither makes it twice', async ({ startJob, kept, untilMade }) => {
  const [one, other] = [startJob(), startJob()];
  await Promise.all([one.run(), other.run()]);
  await untilMade();
  await Promise.all([one.run(), other.run()]);
  const [made, ...more] = await kept();
  expect(made).toMatch(/^seathold-\d{8}T\d{6}Z$/);
  expect(more).toEqual([]);
});

it('a scheduled backup is complete and encrypted, and old ones beyond the number to keep are deleted', async ({
  startJob,
  folder,
  kept,
  untilMade,
}) => {
  const old = ['seathold-20200101T000000Z', 'seathold-20200102T000000Z'];
  for (const name of [...old, 'mine']) {
    await mkdir(join(folder, 'kept', name), { recursive: true });
    await writeFile(join(folder, 'kept', name, 'manifest.json'), '{}');
  }
  await mkdir(join(folder, 'kept', 'seathold-20200103T000000Z.unfinished-0123abcd'));
  const backupKey = randomBytes(32);
  await startJob({ SEATHOLD_BACKUP_KEY: backupKey.toString('base64') }).run();
  await untilMade();
  await expect.poll(kept).toEqual(['mine', old[1], expect.stringMatching(/^seathold-20[2-9]\d/)]);
  const made = (await kept()).at(-1) ?? '';
  const { header } = await loadBackup(listEntries(join(folder, 'kept', made)), {
    urls: {},
    masterKey: new MasterKey(secret),
    backupKey,
  });
  expect(header.encryption).toMatchObject({ algorithm: 'aes-256-gcm' });
});

it('a failed backup makes every run fail until one succeeds', async ({ startJob, folder, kept, untilMade }) => {
  const job = startJob();
  await writeFile(join(folder, 'kept'), 'in the way');
  await expect(job.run()).rejects.toThrow('the last backup failed');
  await rm(join(folder, 'kept'));
  await expect(job.run()).rejects.toThrow('the last backup failed');
  await untilMade();
  expect(await job.run()).toBe(false);
  expect(await kept()).toHaveLength(1);
});
