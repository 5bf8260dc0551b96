import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { tablesOfOrganizations } from '../../src/forgetting.ts';
import { execute, startAppForTest } from '../harness/index.ts';

const PAGE = new URL('../../../../docs/operating/retention.md', import.meta.url);
const KEPT_BESIDE =
  /webhook_(?!endpoints)|^audit_entries$|^idempotency_keys$|^bearer_tokens$|^login_sessions$|^request_records$/;

it('the page on retention explains what bounds each table, and names no other table', async () => {
  const { database } = await startAppForTest();
  const tables = await execute<{ name: string }>(
    database,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const text = await readFile(PAGE, 'utf8');
  const list = text.slice(text.indexOf('## Every table'));
  const named = [...list.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)];
  expect(named.map(([, name]) => name).toSorted()).toEqual(tables.map(({ name }) => name));
});

it('the page on retention names the existing settings, with their defaults', async () => {
  const { config } = loadConfig({});
  const text = await readFile(PAGE, 'utf8');
  const named = [...text.matchAll(/^\| `(SEATHOLD_RETENTION_\w+)` \| (\d+) \|/gm)].map(([, name, days]) => [
    name,
    Number(days),
  ]);
  const { config: other } = loadConfig(Object.fromEntries(named.map(([name]) => [name, '0'])));
  const values = (given: typeof config) =>
    Object.entries(given ?? {}).flatMap(([key, value]) => (key.startsWith('retention') ? [value] : []));
  expect(named.map(([, days]) => days)).toEqual(values(config));
  expect(values(other)).toEqual(named.map(() => 0));
});

it('every table of an organization is erased with it, or listed as kept', async () => {
  const { database } = await startAppForTest();
  const tables = await execute<{ name: string }>(
    database,
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'organization_id' order by 1`,
  );
  const listed = tablesOfOrganizations(true).map(({ table }) => table);
  // The database deletes these together with the row that they belong to.
  const cascaded = await execute<{ name: string }>(
    database,
    `select conrelid::regclass::text as name from pg_constraint
      where confdeltype = 'c' and confrelid::regclass::text = any($1::text[])`,
    [listed],
  );
  const erased = [...listed, ...cascaded.map(({ name }) => name)];
  const left = tables.map(({ name }) => name).filter((name) => !erased.includes(name) && !KEPT_BESIDE.test(name));
  // Endpoints are marked as deleted with their organization and removed by their own job.
  expect(left).toEqual(['webhook_endpoints']);
});
