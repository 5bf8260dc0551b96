import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, startAppForTest, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { applyCatalogue } from '../catalogue/apply-catalogue.ts';
import { ensureDefaultCatalogue } from '../catalogue/ensure-default-catalogue.ts';
import { getCatalogue } from '../catalogue/get-catalogue.ts';
import { findPlan, maxQuantityOf } from './queries.ts';

const names = (answer: { body: { data: Array<{ name: string }> } }) => answer.body.data.map((plan) => plan.name);

describe('the plans of a new installation', () => {
  it('are Free, Pro and Enterprise, in this order, for everyone', async () => {
    const test = await startAppForTest();
    const answer = await test.api.get('/v1/plans');
    expect(answer.status).toBe(200);
    expect(answer.body.pagination).toEqual({ has_more: false, next_cursor: null });
    expect(answer.body.data).toEqual([
      expect.objectContaining({ name: 'Free', price: 0, currency: 'usd', interval: 'month' }),
      {
        id: expect.stringMatching(/^plan_/),
        name: 'Pro',
        description: expect.any(String),
        price: 2900,
        currency: 'usd',
        interval: 'month',
        features: {
          seats: 'unlimited',
          ai_assistance: true,
          cloud_workstations: true,
          priority_support: true,
          sso: false,
          audit_logs: false,
          dedicated_support: false,
        },
      },
      expect.objectContaining({ name: 'Enterprise', price: null, contact_sales: true }),
    ]);
    expect(answer.body.data[0].features.seats).toBe(3);
    expect(answer.body.data[0]).not.toHaveProperty('contact_sales');
  });

  it('are created once, even if many processes start at the same time, and never again once a plan exists', async () => {
    const test = await startAppForTest();
    await execute(test.database, 'delete from plans');
    const made = await Promise.all(Array.from({ length: 10 }, () => ensureDefaultCatalogue(test.database)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(names(await test.api.get('/v1/plans'))).toHaveLength(3);
    await execute(test.database, 'update plans set archived_at = clock_timestamp()');
    expect(await ensureDefaultCatalogue(test.database)).toBe(false);
    expect(names(await test.api.get('/v1/plans'))).toEqual([]);
  });

  it('allow the stated number of seats', async () => {
    const test = await startAppForTest();
    const { data } = (await test.api.get('/v1/plans')).body;
    const rows = await Promise.all(data.map((plan: { id: string }) => findPlan(test.database, { planId: plan.id })));
    expect(rows.map((row) => maxQuantityOf(row))).toEqual([3, 10_000, 10_000]);
    expect(rows[1]).toMatchObject({ grace_seconds: 259_200, heartbeat_interval_seconds: null, is_archived: false });
    expect(await findPlan(test.database, { planId: 'plan_none' })).toBeUndefined();
  });
});

describe('GET /v1/plans', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    const { plans, ...rest } = await getCatalogue(test.database);
    const [free, pro, enterprise] = plans;
    if (free === undefined || pro === undefined || enterprise === undefined) {
      throw new Error('the default plans are not there');
    }
    const more = [
      { ...enterprise, key: 'agency', name: 'Agency' },
      { ...pro, key: 'pro-eur', name: 'Pro Europe', currency: 'eur' },
      { ...pro, key: 'old', name: 'Old' },
    ];
    await applyCatalogue(test.database, { ...rest, plans: [...plans, ...more] });
    await applyCatalogue(test.database, { ...rest, plans: [...plans, ...more.slice(0, 2)] });
  });
  afterAll(() => test.close());

  /** The whole list, in pages of two. */
  async function readAll(query: string): Promise<string[]> {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await test.api.get(`/v1/plans?limit=2&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(answer.status).toBe(200);
      found.push(...names(answer));
      cursor = answer.body.pagination.next_cursor;
    }
    return found;
  }

  it.each([
    ['', ['Free', 'Pro', 'Pro Europe', 'Enterprise', 'Agency']],
    ['sort=price', ['Free', 'Pro', 'Pro Europe', 'Enterprise', 'Agency']],
    ['sort=-price', ['Agency', 'Enterprise', 'Pro Europe', 'Pro', 'Free']],
    ['sort=name', ['Agency', 'Enterprise', 'Free', 'Pro', 'Pro Europe']],
    ['sort=-name', ['Pro Europe', 'Pro', 'Free', 'Enterprise', 'Agency']],
    ['currency=eur', ['Pro Europe']],
    ['currency=EUR', ['Pro Europe']],
    ['currency=usd&interval=month', ['Free', 'Pro', 'Enterprise', 'Agency']],
    ['currency=jpy', []],
  ])('with %s lists the plans on sale, page by page', async (query, expected) => {
    expect(await readAll(query)).toEqual(expected);
  });

  it.each([
    ['sort=seats', 'sort'],
    ['interval=year', 'interval'],
    ['tier=pro', 'tier'],
    ['cursor=abc', 'cursor'],
    ['limit=0', 'limit'],
  ])('with %s is invalid_request', async (query, field) => {
    const answer = await test.api.get(`/v1/plans?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field } });
  });

  it('shows one plan to everyone, and returns not_found for unknown ones', async () => {
    const [row] = await execute<{ id: string }>(test.database, "select id from plans where key = 'old'");
    const old = await test.api.get(`/v1/plans/${row?.id}`);
    expect(old.body.data).toMatchObject({ id: row?.id, name: 'Old', price: 2900 });
    for (const id of [`plan_${'0'.repeat(26)}`, 'team', '%00']) {
      const answer = await test.api.get(`/v1/plans/${id}`);
      expect(answer.status, id).toBe(404);
    }
  });
});
