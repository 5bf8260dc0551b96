import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished } from 'vitest';
import { Database, findMissingMigration, migrate } from '../../src/database/index.ts';
import { createEmptyDatabase, PATIENCE_MS } from '../harness/clone-database.ts';
import { createTest } from '../harness/fixtures.ts';
import { execute } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';
import { adoptNewKey, ask, copyEntries, describeSchema, fingerprint, restoreEntries } from './copies.ts';

const it = createTest({ environment: 'sandbox' })
  .extend('masterKey', { scope: 'file' }, ({ app }) => adoptNewKey(app.database))
  // Customers, seats in use, machines in line, money and events.
  .extend('bought', { scope: 'file' }, async ({ app, shop, admin }) => {
    const id = await shop.buy(admin);
    const license = await shop.license(admin, id);
    const taken = await app.api.post('/v1/licenses/acquire', admin.accessToken, {
      license_key: license.key,
      hardware_id: 'hw_0123456789abcdef0123456789abcdef',
    });
    return { sessionId: taken.body.data.session_id, licenseId: license.id };
  });

function connect(url: string): Database {
  const database = new Database(url, { connections: 2, maxWaiting: 10, patienceMs: PATIENCE_MS }, () => undefined);
  onTestFinished(() => database.close());
  return database;
}

describe('a restored backup', () => {
  it('has every row, key and index, and keeps the invariants', async ({ app, bought, masterKey }) => {
    expect(bought.sessionId).toMatch(/^sess_/);
    const entries = await copyEntries({ production: app.databaseUrl, masterKey });
    const { loaded, urls } = await restoreEntries(entries, { masterKey, backupKey: undefined });
    expect(await fingerprint(urls.production)).toEqual(await fingerprint(app.databaseUrl));
    expect(await describeSchema(urls.production)).toEqual(await describeSchema(app.databaseUrl));
    expect(loaded).toMatchObject({ notes: [], environments: [{ environment: 'production' }] });
    const database = connect(urls.production);
    expect(await findMissingMigration(database)).toBeUndefined();
    await requireInvariants(database);
  });

  it('continues identity columns, and has no event of a future transaction', async ({ app, bought, masterKey }) => {
    expect(bought.licenseId).toMatch(/^lic_/);
    await execute(app.database, "select setval(pg_get_serial_sequence('seat_waits', 'place'), 41)");
    const entries = await copyEntries({ production: app.databaseUrl, masterKey });
    const { urls } = await restoreEntries(entries, { masterKey, backupKey: undefined });
    expect(
      await ask(urls.production, "select nextval(pg_get_serial_sequence('seat_waits', 'place'))::int as next"),
    ).toEqual([{ next: 42 }]);
    const counted = await ask<{ known: number; all: number }>(
      urls.production,
      `select count(*) filter (where written_by < pg_current_xact_id())::int as known, count(*)::int as all from events`,
    );
    expect(counted[0]?.all).toBeGreaterThan(0);
    expect(counted[0]?.known).toBe(counted[0]?.all);
  });

  it('matches the database at one moment, whatever is written meanwhile', async ({ app, bought, masterKey }) => {
    expect(bought.licenseId).toMatch(/^lic_/);
    const before = await fingerprint(app.databaseUrl);
    let late = '';
    const entries = await copyEntries({
      production: app.databaseUrl,
      masterKey,
      between: async (name) => {
        // The snapshot is taken, and no table has been read yet.
        if (name === 'production/schema.json') {
          late = (await app.register()).email;
        }
      },
    });
    const { urls } = await restoreEntries(entries, { masterKey, backupKey: undefined });
    expect(await fingerprint(urls.production)).toEqual(before);
    expect(await fingerprint(app.databaseUrl)).not.toEqual(before);
    expect(late).toContain('@');
  });

  it('is not blocked by locks, and blocks no writer and no migration', async ({ app, bought, masterKey }) => {
    expect(bought.licenseId).toMatch(/^lic_/);
    const entries = copyEntries({
      production: app.databaseUrl,
      masterKey,
      between: async (name) => {
        if (name.startsWith('production/users/')) {
          await execute(app.database, 'update users set name = name');
        }
        if (name.startsWith('production/webhook') || name === 'manifest.json') {
          await ask(app.databaseUrl, "set lock_timeout = '1s'; alter table users alter column name set not null");
        }
      },
    });
    expect((await entries).at(-1)?.name).toBe('manifest.json');
  });

  it('covers both environments, or leaves out the one that is off', async ({ app, masterKey, bought }) => {
    expect(bought.licenseId).toMatch(/^lic_/);
    const entries = await copyEntries({ production: app.databaseUrl, sandbox: app.databaseUrl, masterKey });
    const both = await restoreEntries(entries, { masterKey, backupKey: undefined });
    expect(both.loaded.environments.map(({ environment }) => environment)).toEqual(['production', 'sandbox']);
    const production = await createEmptyDatabase();
    const one = await restoreEntries(entries, { urls: { production }, masterKey, backupKey: undefined });
    expect(one.loaded.environments.map(({ environment }) => environment)).toEqual(['production']);
    expect(one.loaded.notes).toEqual(['The sandbox in the backup was skipped.']);
  });

  it('leaves out tables that are not part of the schema', async ({ app, bought, masterKey }) => {
    expect(bought.licenseId).toMatch(/^lic_/);
    await ask(app.databaseUrl, 'create table reports_of_mine (id int)');
    const entries = await copyEntries({ production: app.databaseUrl, masterKey });
    await ask(app.databaseUrl, 'drop table reports_of_mine');
    const { loaded } = await restoreEntries(entries, { masterKey, backupKey: undefined });
    expect(loaded.notes).toEqual(['The table reports_of_mine does not belong to Seathold and was skipped.']);
  });

  it('with an older schema is migrated', async ({ app }) => {
    expect(app.databaseUrl).toContain('postgres://');
    const source = new URL('../../migrations/', import.meta.url);
    const folder = await mkdtemp(join(tmpdir(), 'seathold-older-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const names = (await readdir(source)).sort();
    for (const name of names.slice(0, 40)) {
      await cp(new URL(name, source), join(folder, name));
    }
    const url = await createEmptyDatabase();
    await migrate(url, pathToFileURL(`${folder}/`));
    const older = await adoptNewKey(connect(url));
    const entries = await copyEntries({ production: url, masterKey: older });
    const { urls } = await restoreEntries(entries, { masterKey: older, backupKey: undefined });
    expect(await findMissingMigration(connect(urls.production))).toBeUndefined();
    expect(await describeSchema(urls.production)).toEqual(await describeSchema(app.databaseUrl));
  });

  it('reveals nothing of its rows if it is encrypted', async ({ app, admin, bought, masterKey }) => {
    expect(bought.licenseId).toMatch(/^lic_/);
    const backupKey = randomBytes(32);
    const entries = await copyEntries({ production: app.databaseUrl, masterKey, backupKey });
    const { urls } = await restoreEntries(entries, { masterKey, backupKey });
    expect(await ask(urls.production, `select email from users where email = '${admin.email}'`)).toHaveLength(1);
    expect(entries.slice(1).some(({ content }) => content.includes('users') || content.includes('rows'))).toBe(false);
    await expect(restoreEntries(entries, { masterKey, backupKey: randomBytes(32) })).rejects.toMatchObject({
      code: 'wrong_key',
    });
    await expect(restoreEntries(entries, { masterKey, backupKey: undefined })).rejects.toMatchObject({
      code: 'wrong_key',
    });
  });
});
