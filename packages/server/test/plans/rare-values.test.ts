import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListDefinition } from '../../src/http/index.ts';
import { startTestApp, type TestApp } from '../harness/index.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import { type PlanNode, readRows } from './judge-plan.ts';
import { StatementRecorder } from './record-statements.ts';
import { ROWS, seedRareRows, turnRareRows } from './seed-rare-rows.ts';

// What EXPLAIN expects says little where it cannot know: of a comparison with the clock it guesses that a third of the rows
// pass, and of two columns that they have nothing to do with each other. So these lists are run, and the rows counted that they
// read, for values that many rows have, few, or none, with the few where a walk meets them last.

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

it("reads a few rows for each page of the vendor's lists, whatever they are filtered by", async () => {
  expect(await findLongReads()).toEqual([]);
});

it('does so too where the usual is rare', async () => {
  await turnRareRows(test.databaseUrl);
  expect(await findLongReads()).toEqual([]);
});

/** A page has two rows, and one more is read to tell whether there is a next. */
const LIMIT = 2;
/** A tenth, and a page of each of the many months in which licenses expire. */
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

/** Each list of the vendor's, sorted in each way, with each value of each filter, and with each pair of such. */
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

/** Pairs that someone looks for: of one customer, of one product, in one state, by a date of expiry. */
const isNarrow = (name: string) => PAIRED.includes(name);
const PAIRED = ['organization_id', 'license_id', 'product', 'status', 'expires_before', 'actor_type', 'code'];

const numbered = (prefix: string, n: number) => `${prefix}_0${String(n).padStart(25, '0')}`;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
/** A usual one, a rare one, and one that nothing has. */
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
