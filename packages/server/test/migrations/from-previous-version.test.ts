import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/database/index.ts';
import { createEmptyDatabase } from '../harness/clone-database.ts';
import { copyPreviousMigrations, fillAsPreviousVersion, OLD_PROJECT_IDS } from './previous-version.ts';

/** A database of the previous version with its rows, and a connection to it. */
async function createPreviousDatabase(): Promise<{ url: string; client: pg.Client }> {
  const url = await createEmptyDatabase();
  const { current } = await migrate(url, await copyPreviousMigrations());
  expect(current).toBe('0004-licensing');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await fillAsPreviousVersion(client);
  return { url, client };
}

it('the migrations upgrade a database of the previous version with all its rows, and fill their new columns', async () => {
  const { url, client } = await createPreviousDatabase();
  const ask = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows;
  const counts = `select (select count(*) from bearer_tokens), (select count(*) from refresh_tokens),
    (select count(*) from api_tokens), (select count(*) from licenses), (select count(*) from seat_slots)`;
  const before = await ask(counts);

  const { applied } = await migrate(url);

  expect(applied[0]).toBe('0005-accounts');
  expect(await ask('select id, member_count, deleted_at from organizations order by id')).toEqual([
    ['org_1', 2, null],
    ['org_2', 1, null],
    ['org_3', 0, null],
  ]);
  // A license that the operator issued takes its organization off the free tier.
  expect(await ask('select id, tier, subscription_tier, license_tier from organizations order by id')).toEqual([
    ['org_1', 'pro', null, 'pro'],
    ['org_2', 'free', null, null],
    ['org_3', 'free', null, null],
  ]);
  expect(await ask('select tier from licenses')).toEqual([['pro']]);
  expect(await ask('select organization_id, user_name from memberships order by organization_id, user_id')).toEqual([
    ['org_1', 'Ada'],
    ['org_1', 'Grace'],
    ['org_2', 'Grace'],
  ]);
  expect(await ask('select id, last_seen_at = created_at from login_sessions order by id')).toEqual([
    ['login_1', true],
    ['login_2', true],
  ]);
  // No mails are sent about events from before there were mails.
  expect(await ask('select id, lock_told_until is not distinct from locked_until from users order by id')).toEqual([
    ['usr_1', true],
    ['usr_2', true],
  ]);
  expect(await ask('select kind from bearer_tokens order by token_hash')).toEqual([['session'], ['api']]);
  expect(await ask(counts)).toEqual(before);
});

it('the migrations keep metadata whose project_id is a long text, a number, null or an object', async () => {
  const { url, client } = await createPreviousDatabase();
  await migrate(url);
  const expected = OLD_PROJECT_IDS.map((project_id) => ({ metadata: { project_id } }));
  const held = await client.query('select metadata from seat_slots where session_id is not null order by slot');
  expect(held.rows).toEqual(expected);
  expect((await client.query('select metadata from seat_sessions order by id')).rows).toEqual(expected);
});

it('a failed migration is named, and rolled back completely', async () => {
  const url = await createEmptyDatabase();
  const broken = { '0005-broken.sql': 'create table half_made (n int); insert into no_such_table values (1)' };
  const folder = await copyPreviousMigrations(broken);
  await expect(migrate(url, folder)).rejects.toThrow(/0005-broken failed.*no_such_table/);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(
    "select to_regclass('half_made') as half_made, max(name) as last from migrations",
  );
  expect(rows).toEqual([{ half_made: null, last: '0004-licensing' }]);
});
