import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListDefinition } from '../../src/http/index.ts';
import { startTestApp, type TestApp } from '../harness/index.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import { type PlanNode, readRows } from './judge-plan.ts';
import { StatementRecorder } from './record-statements.ts';
import { ROWS, seedRareRows, turnRareRows } from './seed-rare-rows.ts';

// EXPLAIN's estimates mean little where it cannot know: it guesses that a third of the rows match a comparison with the
// clock, and that any two columns are independent. So these lists are executed and the rows that they read are counted,
// for values that many, few or no rows have, with the few where a scan meets them last.

let test: TestApp;
let token: string;
let recorder: StatementRecorder;
let explainer: pg.Client;

beforeAll(async () => {
  test = await startTestApp();
  token = (await makeOperatorToken(test)).token;
  await seedRareRows(test.databaseUrl);
  explainer = new pg.Client({ connectionString: test.databaseUrl });
  await explainer.connect();
  recorder = new StatementRecorder();
});

afterAll(async () => {
  recorder.stop();
  await explainer.end();
  await test.close();
});

it("each page of the vendor's lists reads only a few rows, whatever the filter", async () => {
  expect(await findLongReads()).toEqual([]);
});

it('the same holds where the usual values are rare', async () => {
  await turnRareRows(test.databaseUrl);
  expect(await findLongReads()).toEqual([]);
});

/** A page has two rows, and one more is read to tell whether there is a next page. */
const LIMIT = 2;
/** A tenth, plus a page for each of the many months in which licenses expire. */
const MOST_READ = ROWS / 8;

async function findLongReads(): Promise<string[]> {
  const found: string[] = [];
  for (const path of requests()) {
    recorder.statements.clear();
    const answer = await recorder.during(path, () => test.api.get(path, token));
    expect(answer.status, path).toBe(200);
    for (const { text, values } of recorder.statements.values()) {
      if (/^\s*(select|with)/.test(text) && !/for (no key )?update|for (key )?share/.test(text)) {
        const { rows } = await explainer.query(`explain (analyze, timing off, format json) ${text}`, [...values]);
        const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan;
        const read = readRows(plan);
        if (read > MOST_READ) {
          found.push(`${path} reads ${read} rows`);
        }
      }
    }
  }
  return found;
}

/** Each of the vendor's lists, with each sort, with each value of each filter, and with each pair of those. */
function requests(): string[] {
  const lists = test.service.routes.filter(({ path, list }) => path.startsWith('/v1/operator/') && list !== undefined);
  expect(lists.length).toBeGreaterThan(8);
  return lists.flatMap(({ path, list }) =>
    list === undefined ? [] : queriesOf(list).map((query) => `${path}?${query}`),
  );
}

function queriesOf(list: ListDefinition): string[] {
  const given = Object.entries(list.filters).flatMap(([name, type]) =>
    (type.kind === 'enum' ? type.values : (VALUES[name] ?? [])).map((value) => ({
      name,
      value: encodeURIComponent(value),
    })),
  );
  const alone = given.map(({ name, value }) => `&${name}=${value}`);
  const pairs = given.flatMap((one) =>
    given
      .filter((other) => one.name < other.name && isNarrow(one.name) && isNarrow(other.name))
      .map((other) => `&${one.name}=${one.value}&${other.name}=${other.value}`),
  );
  return Object.keys(list.sorts).flatMap((sort) =>
    [sort, `-${sort}`].flatMap((order) =>
      ['', ...alone, ...pairs].map((query) => `limit=${LIMIT}&sort=${order}${query}`),
    ),
  );
}

/** Pairs that people search for: one customer, one product, one state, or an expiry date. */
const isNarrow = (name: string) => PAIRED.includes(name);
const PAIRED = ['organization_id', 'license_id', 'product', 'status', 'expires_before', 'actor_type', 'code'];

const numbered = (prefix: string, n: number) => `${prefix}_0${String(n).padStart(25, '0')}`;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
/** A usual value, a rare one, and one that no row has. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  organization_id: [numbered('org', 0), numbered('org', 7), numbered('org', 199_999)],
  license_id: [numbered('lic', 0), numbered('lic', 199_999)],
  user_id: [numbered('usr', 0), numbered('usr', 1), numbered('usr', 199_999)],
  actor: [numbered('usr', 0), numbered('usr', 1), 'user000001@example.com', numbered('usr', 199_999)],
  action: ['project.updated', 'member.removed', 'nothing.done'],
  query: [
    'customer',
    'user',
    `customer 0${ROWS - 1}`,
    `user0${ROWS - 1}@example.com`,
    'nobody',
    'nobody@example.com',
    'KEY-000007',
  ],
  external_id: ['crm-000007', 'contract-000007', 'nothing'],
  product: ['studio', 'archive', 'rare', 'nothing'],
  key: ['KEY-000007', 'nothing'],
  number: ['CODE-000007', 'nothing'],
  provider_ref: ['pi_000007', `orphan_0${ROWS - 1}`, 'nothing'],
  expires_before: [inDays(-5_000), inDays(-2), inDays(2), inDays(5_000)],
  created_after: [inDays(-5_000), inDays(-1), inDays(1)],
  created_before: [inDays(-5_000), inDays(-ROWS / 24 + 1), inDays(1)],
};
