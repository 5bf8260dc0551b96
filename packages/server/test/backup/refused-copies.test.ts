import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import type { Entry } from '../../src/operator/backup/backup-format.ts';
import { loadBackup } from '../../src/operator/backup/load-backup.ts';
import { MasterKey } from '../../src/security/index.ts';
import { createEmptyDatabase } from '../harness/clone-database.ts';
import { createTest } from '../harness/fixtures.ts';
import { adoptNewKey, ask, copyEntries, streamOf } from './copies.ts';

const it = createTest()
  .extend('masterKey', { scope: 'file' }, ({ app }) => adoptNewKey(app.database))
  .extend('entries', { scope: 'file' }, async ({ app, admin, masterKey }) => {
    expect(admin.organizationId).toMatch(/^org_/);
    return copyEntries({ production: app.databaseUrl, masterKey });
  })
  .extend('backupKey', { scope: 'file' }, () => randomBytes(32))
  .extend('encrypted', { scope: 'file' }, ({ app, masterKey, backupKey }) =>
    copyEntries({ production: app.databaseUrl, masterKey, backupKey }),
  )
  // Tries to load entries into an empty database, which must stay empty, and returns the reason for the refusal.
  // Without a database, as if the environment were off, everything is still checked, but faster.
  .extend('refusal', ({ masterKey, backupKey }) => async (entries: readonly Entry[], given: Given = {}) => {
    const { key = masterKey, hasDatabase = false } = given;
    const production = hasDatabase ? await createEmptyDatabase() : undefined;
    const urls = production === undefined ? {} : { production };
    const refusal = await loadBackup(streamOf(entries), { urls, masterKey: key, backupKey }).then(
      () => expect.fail('it was restored'),
      (error: unknown) => error,
    );
    if (production !== undefined) {
      expect(await ask(production, "select from pg_class where relnamespace = 'public'::regnamespace")).toEqual([]);
    }
    return refusal;
  });

interface Given {
  key?: MasterKey;
  hasDatabase?: boolean;
}

type Change = (entries: Entry[]) => Entry[];

const isUsers = ({ name }: Entry) => name.startsWith('production/users/');
const changeEntry =
  (is: (entry: Entry) => boolean, change: (content: Buffer) => Buffer): Change =>
  (entries) =>
    entries.map((entry) => (is(entry) ? { ...entry, content: change(entry.content) } : entry));
const changeText = (name: string, from: RegExp, to: string) =>
  changeEntry(
    (entry) => entry.name === name,
    (content) => Buffer.from(content.toString().replace(from, to)),
  );

const CHANGES: ReadonlyArray<readonly [string, Change]> = [
  ['without its header', (all) => all.slice(1)],
  ['without the schema', (all) => all.filter(({ name }) => !name.endsWith('schema.json'))],
  ['with nothing in it', () => []],
  ['without the rows of a table', (all) => all.filter((entry) => !isUsers(entry))],
  ['whose rows lost their last byte', changeEntry(isUsers, (content) => content.subarray(0, -1))],
  ['whose rows were replaced', changeEntry(isUsers, () => gzipSync('nothing\n'))],
  ['whose rows appear twice', (all) => all.flatMap((entry) => (isUsers(entry) ? [entry, entry] : [entry]))],
  [
    'that continues after its manifest',
    (all) => [...all, { name: 'production/users/00000001.part', content: Buffer.from('') }],
  ],
  ['whose manifest has another count', changeText('manifest.json', /"rows": \d+/, '"rows": 12345')],
  ['whose manifest is not authentic', changeText('manifest.json', /"ended_at": "20/, '"ended_at": "19')],
  ['whose header was changed', changeText('backup.json', /"created_at": "20/, '"created_at": "19')],
  ['whose schema names an unknown table', changeText('production/schema.json', /"users"/, '"users_of_mine"')],
];

/** Changes that are detected only after PostgreSQL has received data. */
const LATE_CHANGES: ReadonlyArray<readonly [string, Change]> = [
  ['without its manifest', (all) => all.slice(0, -1)],
  ['whose rows do not fit the table', changeEntry(isUsers, () => gzipSync('nothing\n'))],
  ['with missing rows', changeEntry(isUsers, () => gzipSync(''))],
  [
    'whose schema names an unknown column',
    changeText('production/schema.json', /"email"/, '"email\\"; drop table users"'),
  ],
];

describe('a backup is refused', () => {
  it.for(CHANGES)('%s', async ([, change], { entries, refusal }) => {
    expect(await refusal(change(entries))).toMatchObject({ code: 'damaged_backup' });
  });

  it.for(LATE_CHANGES)('%s, and the database stays empty', async ([, change], { entries, refusal }) => {
    expect(await refusal(change(entries), { hasDatabase: true })).toMatchObject({ code: 'damaged_backup' });
  });

  it.for(CHANGES.slice(0, 8))('%s, even if it is encrypted', async ([, change], { encrypted, refusal }) => {
    expect(await refusal(change(encrypted))).toMatchObject({ code: 'damaged_backup' });
  });

  it('whose encrypted entries were swapped', async ({ encrypted, refusal }) => {
    const parts = encrypted.filter(({ name }) => name.endsWith('.part'));
    const [first, second] = [parts[0] ?? expect.fail(), parts[1] ?? expect.fail()];
    const swapped = encrypted.map((entry) =>
      entry === first
        ? { ...entry, content: second.content }
        : entry === second
          ? { ...entry, content: first.content }
          : entry,
    );
    expect(await refusal(swapped)).toMatchObject({
      code: 'damaged_backup',
      message: expect.stringContaining('altered'),
    });
  });

  it('with another master key, and names both keys', async ({ entries, refusal, masterKey }) => {
    const other = new MasterKey(randomBytes(32));
    const error = await refusal(entries, { key: other });
    expect(error).toMatchObject({ code: 'wrong_key', message: expect.stringContaining(masterKey.activeId) });
    expect(error).toMatchObject({ message: expect.stringContaining(other.activeId) });
  });

  it('with a migration of a newer version', async ({ entries, refusal }) => {
    const newer = changeText('production/schema.json', /"0001-installation"/, '"9999-later"')(entries);
    expect(await refusal(newer, { hasDatabase: true })).toMatchObject({
      message: expect.stringContaining('9999-later of a newer version'),
    });
  });

  it('when the database is not empty', async ({ entries, masterKey }) => {
    const production = await createEmptyDatabase();
    await ask(production, 'create table mine (id int)');
    await expect(
      loadBackup(streamOf(entries), { urls: { production }, masterKey, backupKey: undefined }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await ask(production, "select relname from pg_class where relnamespace = 'public'::regnamespace")).toEqual([
      { relname: 'mine' },
    ]);
  });
});
