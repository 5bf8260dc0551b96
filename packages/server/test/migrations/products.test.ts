import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/database/index.ts';
import { createEmptyDatabase } from '../harness/clone-database.ts';
import { copyMigrationsBefore } from './previous-version.ts';

async function openPreviousDatabase(): Promise<{ url: string; client: pg.Client }> {
  const url = await createEmptyDatabase();
  await migrate(url, await copyMigrationsBefore('0039'));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`insert into organizations (id, name, slug, created_at, updated_at)
    values ('org_1', 'One', 'one', '2026-01-01Z', '2026-01-01Z')`);
  return { url, client };
}

const INSERT_LICENSE = `insert into licenses (organization_id, id, key, product, max_seats, features, state, expires_at,
    heartbeat_interval_seconds, session_timeout_seconds, subscription_id, created_at, updated_at)
  values ('org_1', $1, $1, $2, 10, $3, 'active', 'infinity', $4, $5, $6, '2026-01-01Z', '2026-01-01Z')`;

const INSERT_PLAN = `insert into plans (id, key, name, description, price, currency, interval, tier, product, features,
    license_features, grace_seconds, created_at, updated_at)
  values ($1, $1, 'Pro', 'Pro', 100, 'usd', 'month', 'pro', $2, '{}', $3, 0, '2026-01-01Z', '2026-01-01Z')`;

it('the migration creates a product for each name that licenses and plans have, with the feature types that most of them use', async () => {
  const { url, client } = await openPreviousDatabase();
  const license = (id: string, product: string, features: object) =>
    client.query(INSERT_LICENSE, [id, product, JSON.stringify(features), null, null, null]);
  await license('lic_1', 'studio', { ai_assistance: true, projects: 20 });
  await license('lic_2', 'studio', { projects: 'unlimited', edition: 'pro' });
  await license('lic_3', 'studio', { projects: 5 });
  await license('lic_4', 'Viewer 2', {});
  await client.query(INSERT_PLAN, ['plan_1', 'render', JSON.stringify({ export_4k: false })]);

  await migrate(url);

  const { rows } = await client.query(
    'select key, name, features, policy, source from products order by key collate "C"',
  );
  const derived = { policy: {}, source: 'derived' };
  expect(rows).toEqual([
    { ...derived, key: 'Viewer 2', name: 'Viewer 2', features: {} },
    { ...derived, key: 'render', name: 'render', features: { export_4k: { type: 'boolean', name: 'export_4k' } } },
    {
      ...derived,
      key: 'studio',
      name: 'studio',
      features: {
        ai_assistance: { type: 'boolean', name: 'ai_assistance' },
        edition: { type: 'string', name: 'edition' },
        projects: { type: 'number', name: 'projects' },
      },
    },
  ]);
});

it('the migration keeps the heartbeat intervals of licenses, as their own if the operator issued them and as their plan’s otherwise', async () => {
  const { url, client } = await openPreviousDatabase();
  await client.query(INSERT_LICENSE, ['lic_1', 'studio', '{}', 30, 90, null]);
  await client.query(INSERT_LICENSE, ['lic_2', 'studio', '{}', 20, null, 'sub_2']);
  await client.query(INSERT_LICENSE, ['lic_3', 'studio', '{}', null, null, null]);

  await migrate(url);

  const { rows } =
    await client.query(`select id, policy, plan_policy, allowed_users, heartbeat_interval_seconds as interval
    from licenses order by id`);
  expect(rows).toEqual([
    {
      id: 'lic_1',
      policy: { heartbeat_interval: 30, session_timeout: 90 },
      plan_policy: {},
      allowed_users: null,
      interval: 30,
    },
    { id: 'lic_2', policy: {}, plan_policy: { heartbeat_interval: 20 }, allowed_users: null, interval: 20 },
    { id: 'lic_3', policy: {}, plan_policy: {}, allowed_users: null, interval: null },
  ]);
});

it('the migration lets an older process continue to issue licenses, change them, and write plans', async () => {
  const { url, client } = await openPreviousDatabase();
  await client.query(INSERT_LICENSE, ['lic_1', 'studio', '{}', 30, 90, null]);

  await migrate(url);

  // What a process of the previous version sends, without the new columns.
  await client.query(INSERT_LICENSE, ['lic_2', 'a product that nobody wrote down', '{"projects": 7}', 30, null, null]);
  await client.query(`update licenses set heartbeat_interval_seconds = 40, product = 'another' where id = 'lic_1'`);
  await client.query(INSERT_PLAN, ['plan_1', 'a third', '{}']);
  const { rows } = await client.query('select id, policy, metadata, external_id from licenses order by id');
  expect(rows).toEqual([
    { id: 'lic_1', policy: { heartbeat_interval: 30, session_timeout: 90 }, metadata: {}, external_id: null },
    { id: 'lic_2', policy: {}, metadata: {}, external_id: null },
  ]);
});
