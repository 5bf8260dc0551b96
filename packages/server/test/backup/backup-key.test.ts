import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { checkMasterKey } from '../../src/database/index.ts';
import { backUp } from '../../src/operator/backup/create-backup.ts';
import { MasterKey } from '../../src/security/index.ts';
import { createTest } from '../harness/fixtures.ts';

const secret = randomBytes(32);

const it = createTest()
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'seathold-backup-key-'));
    await writeFile(join(folder, 'key'), randomBytes(32).toString('base64'));
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data/master.key'), secret.toString('base64'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return folder;
  })
  // An installation that keeps its master key in the data folder, as it does by default.
  .extend('create', async ({ app, folder }) => {
    await checkMasterKey(app.database, new MasterKey(secret));
    return (own: Readonly<Record<string, string>>, keyFile?: string) => {
      const { config, problems } = loadConfig({
        DATABASE_URL: app.databaseUrl,
        SEATHOLD_SANDBOX: 'off',
        SEATHOLD_DATA_DIR: join(folder, 'data'),
        ...own,
      });
      if (config === undefined) {
        throw new Error(JSON.stringify(problems));
      }
      return backUp(config, { target: join(folder, 'made'), keyFile, serviceVersion: '0.0.0-test' });
    };
  });

const refusal = { code: 'invalid_argument', message: 'The backup key must differ from the master key.' };

it('a backup cannot be encrypted with the master key in the data folder', async ({ create, folder }) => {
  const key = secret.toString('base64');
  await expect(create({ SEATHOLD_BACKUP_KEY: key })).rejects.toMatchObject(refusal);
  await expect(create({}, join(folder, 'data/master.key'))).rejects.toMatchObject(refusal);
  await expect(create({ SEATHOLD_MASTER_KEY: key }, join(folder, 'data/master.key'))).rejects.toMatchObject(refusal);
  expect((await readdir(folder)).toSorted()).toEqual(['data', 'key']);
});

it('a backup can be encrypted with any other key', async ({ create, folder }) => {
  expect(await create({}, join(folder, 'key'))).toMatchObject({ isEncrypted: true });
});
