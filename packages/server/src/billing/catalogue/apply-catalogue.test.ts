import { describe, expect } from 'vitest';
import { catalogueFile, catalogueWith } from '../../../test/catalogue/catalogue-files.ts';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type TestApp } from '../../../test/harness/index.ts';
import { listUsedMetersOf, plantPayment, plantSubscription } from '../../../test/harness/plant-sales.ts';
import { updateCouponRedeemed } from '../coupons/queries.ts';
import { lockPlanForSale } from '../plans/queries.ts';
import { applyCatalogue } from './apply-catalogue.ts';
import { type Catalogue, CatalogueRefused } from './catalogue.ts';
import { getCatalogue } from './get-catalogue.ts';
import { parseCatalogue } from './parse-catalogue.ts';
import { writeCatalogue } from './write-catalogue.ts';

it.beforeEach(async ({ app }) => {
  for (const table of ['payments', 'subscriptions', 'plans', 'coupons', 'meters', 'products']) {
    await execute(app.database, `delete from ${table}`);
  }
});

const apply = (app: TestApp, catalogue: Catalogue, dryRun = false) =>
  applyCatalogue(app.database, catalogue, { dryRun });
const idOf = async (app: TestApp, table: 'plans' | 'coupons', column: string, value: string): Promise<string> =>
  (await execute<{ id: string }>(app.database, `select id from ${table} where ${column} = $1`, [value]))[0]?.id ?? '';
const everything = (app: TestApp) =>
  execute(
    app.database,
    `select (select jsonb_agg(p order by id) from plans p) as plans, (select jsonb_agg(c order by id) from coupons c) as coupons,
      (select jsonb_agg(m order by name) from meters m) as meters`,
  );

/** The printed reason why a catalogue cannot be applied. */
async function refusalsOf(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CatalogueRefused)) {
    throw new Error(`it was not refused: ${error}`);
  }
  return error.problems.map(({ name, problem }) => `${name} ${problem}`);
}

describe('applying a catalogue', () => {
  it('adds everything, and changes nothing the second time', async ({ app }) => {
    const added = await apply(app, catalogueWith());
    expect(added.map(({ kind, key, action }) => `${kind} ${key} ${action}`)).toEqual([
      'product studio added',
      'plan team added',
      'plan custom added',
      'coupon WELCOME added',
      'coupon FIVE-OFF added',
      'meter ai_tokens added',
    ]);
    const before = await everything(app);
    expect(await apply(app, catalogueWith())).toEqual([]);
    expect(await everything(app)).toEqual(before);
  });

  it('reports old and new values, and keeps the identifiers', async ({ app }) => {
    await apply(app, catalogueWith());
    const id = await idOf(app, 'plans', 'key', 'team');
    const changes = await apply(
      app,
      catalogueWith(
        ['plans.0.price', 1600],
        ['plans.0.features.seats', 'unlimited'],
        ['plans.0.included', {}],
        ['plans.0.heartbeat', undefined],
        ['plans.0.license_features.export_8k', false],
        ['coupons.0.max_redemptions', 11],
        ['coupons.0.max_redemptions_per_organization', 2],
        ['meters.0.aggregation', 'max'],
      ),
    );
    expect(changes).toEqual([
      {
        kind: 'product',
        key: 'studio',
        action: 'changed',
        fields: [{ field: 'features.export_8k', before: null, after: 'boolean' }],
      },
      {
        kind: 'plan',
        key: 'team',
        action: 'changed',
        fields: [
          { field: 'price', before: 1500, after: 1600 },
          { field: 'features.seats', before: 50, after: 'unlimited' },
          { field: 'included.ai_tokens', before: 5000, after: null },
          { field: 'heartbeat.interval', before: '30s', after: null },
          { field: 'heartbeat.timeout', before: '90s', after: null },
          { field: 'license_features.export_8k', before: null, after: false },
        ],
      },
      {
        kind: 'coupon',
        key: 'WELCOME',
        action: 'changed',
        fields: [
          { field: 'max_redemptions', before: 10, after: 11 },
          { field: 'max_redemptions_per_organization', before: 1, after: 2 },
        ],
      },
      {
        kind: 'meter',
        key: 'ai_tokens',
        action: 'changed',
        fields: [{ field: 'aggregation', before: 'sum', after: 'max' }],
      },
    ]);
    expect(await idOf(app, 'plans', 'key', 'team')).toBe(id);
    const { body } = await app.api.get(`/v1/plans/${id}`);
    expect(body.data).toMatchObject({ price: 1600, features: { seats: 'unlimited' } });
  });

  it('archives what the file omits, once, and restores it with its identifier', async ({ app }) => {
    await apply(app, catalogueWith());
    const id = await idOf(app, 'plans', 'key', 'team');
    const smaller = catalogueWith(['plans.0', CUSTOM_ONLY], ['plans.1', SECOND], ['coupons', []], ['meters', []]);
    const archived = (await apply(app, smaller)).map(({ kind, key, action }) => `${kind} ${key} ${action}`);
    expect(archived).toEqual([
      'plan solo added',
      'plan duo added',
      'plan team archived',
      'plan custom archived',
      'coupon WELCOME archived',
      'coupon FIVE-OFF archived',
      'meter ai_tokens removed',
    ]);
    expect(await apply(app, smaller)).toEqual([]);
    const { body } = await app.api.get('/v1/plans');
    expect(body.data.map((plan: { name: string }) => plan.name).sort()).toEqual(['Duo', 'Solo']);
    expect((await app.api.get(`/v1/plans/${id}`)).body.data.name).toBe('Team');
    const back = await apply(app, catalogueWith());
    expect(back.slice(0, 2).map(({ key, action, fields }) => ({ key, action, fields }))).toEqual([
      { key: 'team', action: 'revived', fields: [] },
      { key: 'custom', action: 'revived', fields: [] },
    ]);
    expect(await idOf(app, 'plans', 'key', 'team')).toBe(id);
  });

  it('changes nothing in a dry run, and reports the same', async ({ app }) => {
    await apply(app, catalogueWith());
    const before = await everything(app);
    const next = catalogueWith(['plans.0.name', 'Crew'], ['coupons', []]);
    const planned = await apply(app, next, true);
    expect(await everything(app)).toEqual(before);
    expect(await apply(app, next)).toEqual(planned);
  });

  it('can be exported as a file that changes nothing', async ({ app }) => {
    await apply(app, catalogueWith());
    const shown = writeCatalogue(await getCatalogue(app.database));
    expect(await apply(app, parseCatalogue(shown))).toEqual([]);
  });

  it('happens once when ten processes do it at the same time', async ({ app }) => {
    await apply(app, catalogueWith());
    const wanted = [catalogueWith(['plans.0.name', 'One']), catalogueWith(['plans.0.name', 'Two'], ['coupons', []])];
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => apply(app, wanted[index % 2] ?? catalogueWith())),
    );
    // Whatever their order, each one's differences start where the previous one's ended.
    const names = results.flatMap((changes) =>
      changes.flatMap(({ fields }) => fields.filter((each) => each.field === 'name')),
    );
    const [{ count } = { count: 0 }] = await execute<{ count: number }>(
      app.database,
      'select count(*)::int as count from plans',
    );
    expect(count).toBe(2);
    expect(names.filter(({ before }) => before === 'Team')).toHaveLength(1);
  });
});

describe('a plan, coupon or meter that is in use', () => {
  const NEW_PRICE = catalogueWith(['plans.0.price', 1600], ['plans.0.currency', 'eur'], ['plans.0.name', 'Crew']);
  const REFUSAL =
    'the plan team was already sold, so price (1500 → 1600), currency (usd → eur) cannot change. Create a plan with a new key for the new price, and remove team to stop selling it';

  it('keeps its price, and nothing else in the file is applied either', async ({ app }) => {
    await apply(app, catalogueWith());
    await plantSubscription(app, { planId: await idOf(app, 'plans', 'key', 'team') });
    const before = await everything(app);
    expect(await refusalsOf(apply(app, NEW_PRICE))).toEqual([REFUSAL]);
    expect(await refusalsOf(apply(app, NEW_PRICE, true))).toEqual([REFUSAL]);
    expect(await everything(app)).toEqual(before);
  });

  it('keeps its price after the last subscription ended, and while it is archived', async ({ app }) => {
    await apply(app, catalogueWith());
    await plantSubscription(app, { planId: await idOf(app, 'plans', 'key', 'team'), hasEnded: true });
    expect(await refusalsOf(apply(app, NEW_PRICE))).toEqual([REFUSAL]);
    await apply(app, catalogueWith(['plans.0', CUSTOM_ONLY]));
    expect(await refusalsOf(apply(app, NEW_PRICE))).toEqual([REFUSAL]);
  });

  it('keeps its price while a change to it or a first payment is pending', async ({ app }) => {
    await apply(app, catalogueWith());
    const planId = await idOf(app, 'plans', 'key', 'custom');
    const [team, price] = [await idOf(app, 'plans', 'key', 'team'), ['plans.1.price', 900] as const];
    const priced = catalogueWith(price, ['plans.1.contact_sales', undefined]);
    await plantSubscription(app, { planId: team, pendingPlanId: planId });
    expect(await refusalsOf(apply(app, priced))).toHaveLength(1);
    await execute(app.database, 'delete from subscriptions');
    await plantPayment(app, { kind: 'create', planId });
    expect(await refusalsOf(apply(app, priced))).toHaveLength(1);
    await execute(app.database, 'delete from payments');
    expect(await apply(app, priced)).toHaveLength(1);
  });

  it('can change everything except its price', async ({ app }) => {
    await apply(app, catalogueWith());
    await plantSubscription(app, { planId: await idOf(app, 'plans', 'key', 'team') });
    const changes = await apply(
      app,
      catalogueWith(['plans.0.name', 'Crew'], ['plans.0.features.seats', 60], ['plans.0.grace', '1d']),
    );
    expect(changes.flatMap(({ fields }) => fields.map((each) => each.field))).toEqual([
      'name',
      'features.seats',
      'grace',
    ]);
  });

  it('keeps its price when it is sold while a catalogue is being applied', async ({ app }) => {
    await apply(app, catalogueWith());
    const planId = await idOf(app, 'plans', 'key', 'team');
    let refused: Promise<string[]> | undefined;
    await app.database.transaction(async (tx) => {
      expect((await lockPlanForSale(tx, { planId }))?.price).toBe(1500);
      refused = refusalsOf(apply(app, NEW_PRICE));
      await untilBlocked(app);
      await plantSubscription({ ...app, database: tx }, { planId });
    });
    expect(await refused).toEqual([REFUSAL]);
  });

  it('keeps the discount of a redeemed coupon, and a maximum of at least its redemptions', async ({ app }) => {
    await apply(app, catalogueWith());
    const id = await idOf(app, 'coupons', 'code', 'WELCOME');
    expect(await updateCouponRedeemed(app.database, { couponId: id })).toBe(1);
    expect(await updateCouponRedeemed(app.database, { couponId: id })).toBe(1);
    expect(
      await refusalsOf(apply(app, catalogueWith(['coupons.0.percent_off', 30], ['coupons.0.max_redemptions', 1]))),
    ).toEqual([
      'the coupon WELCOME was already redeemed, so percent_off (20 → 30) cannot change. Create a coupon with a new code, and remove WELCOME to end it',
      'the coupon WELCOME was already redeemed 2 times, so max_redemptions cannot be 1. Set it to at least 2, or remove WELCOME to end it',
    ]);
    expect(
      await apply(app, catalogueWith(['coupons.0.max_redemptions', 2], ['coupons.0.redeem_by', undefined])),
    ).toHaveLength(1);
  });

  it('keeps a meter with records, and its aggregation', async ({ app }) => {
    await apply(app, catalogueWith());
    const applyUsed = (catalogue: Catalogue) =>
      applyCatalogue(app.database, catalogue, { listUsedMeters: listUsedMetersOf('ai_tokens') });
    expect(await refusalsOf(applyUsed(catalogueWith(['meters.0.aggregation', 'last'])))).toEqual([
      'the meter ai_tokens already has records, so aggregation (sum → last) cannot change. Create a meter with a new name',
    ]);
    expect(await refusalsOf(applyUsed(catalogueWith(['meters', []], ['plans.0.included', {}])))).toEqual([
      'the meter ai_tokens already has records, so it cannot be removed. Keep it in the list meters',
    ]);
  });
});

async function untilBlocked(app: TestApp): Promise<void> {
  const waiting = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  for (let count = 0; count === 0; ) {
    [{ count } = { count: 0 }] = await execute<{ count: number }>(app.database, waiting);
  }
}

const [TEAM] = catalogueFile().plans;
const CUSTOM_ONLY = { ...TEAM, key: 'solo', name: 'Solo', included: {} };
const SECOND = { ...TEAM, key: 'duo', name: 'Duo', included: {} };
