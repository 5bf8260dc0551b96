import { describe, expect, it } from 'vitest';
import { catalogueFileWith, catalogueWith, faultsOf } from '../../../test/catalogue/catalogue-files.ts';
import { parseCatalogue } from './parse-catalogue.ts';
import { writeCatalogue } from './write-catalogue.ts';

describe('a valid file', () => {
  it('may give durations with a unit or in seconds', () => {
    const { plans } = catalogueWith(
      ['plans.0.grace', 0],
      ['plans.0.heartbeat.interval', 45],
      ['plans.0.heartbeat.timeout', '3m'],
    );
    expect(plans[0]).toMatchObject({
      grace_seconds: 0,
      heartbeat_interval_seconds: 45,
      session_timeout_seconds: 180,
    });
  });

  it('is converted to the stored units', () => {
    const { plans, coupons, meters } = catalogueWith();
    expect(plans[0]).toMatchObject({
      key: 'team',
      price: 1500,
      contact_sales: false,
      included: { ai_tokens: 5000 },
      license_features: { team_collaboration: true, export_4k: true },
      grace_seconds: 432_000,
      heartbeat_interval_seconds: 30,
      session_timeout_seconds: 90,
    });
    expect(plans[1]).toMatchObject({
      price: null,
      contact_sales: true,
      included: {},
      grace_seconds: 259_200,
      heartbeat_interval_seconds: null,
      session_timeout_seconds: null,
    });
    expect(coupons.map((coupon) => coupon.code)).toEqual(['WELCOME', 'FIVE-OFF']);
    expect(coupons.map((coupon) => coupon.max_redemptions_per_organization)).toEqual([1, 4]);
    expect(coupons[0]?.redeem_by).toEqual(new Date('2030-06-30T23:59:59Z'));
    expect(meters).toEqual([{ name: 'ai_tokens', aggregation: 'sum' }]);
  });

  it('needs no coupons and no meters', () => {
    expect(
      faultsOf(catalogueFileWith(['coupons', undefined], ['meters', undefined], ['plans.0.included', undefined])),
    ).toEqual([]);
  });

  it('may use anchors, and is the same after it is written and parsed again', () => {
    const text = catalogueFileWith().replace('ai_assistance: true', 'ai_assistance: &yes true');
    const catalogue = parseCatalogue(text.replace('export_4k: true', 'export_4k: *yes'));
    expect(catalogue).toEqual(catalogueWith());
    expect(parseCatalogue(writeCatalogue(catalogue))).toEqual(catalogue);
  });
});

describe('a malformed file', () => {
  it.each<readonly [string, unknown, string]>([
    ['plans', undefined, 'plans is required and must be a list of 1 to 200 plans'],
    ['plans', [], 'plans must be a list of 1 to 200 plans'],
    ['plans', {}, 'plans must be a list of 1 to 200 plans'],
    ['plan', [], 'plan is unknown. Known names: products, plans, coupons, meters'],
    ['plans.0', 'team', 'plans[0] must be a mapping'],
    [
      'plans.0.key',
      'Team',
      'plans[0].key must be 1 to 64 of the characters a-z, 0-9, -, and _, beginning with a letter or digit',
    ],
    ['plans.0.name', '', 'plans[0].name must be one line of 1 to 100 characters, without leading or trailing spaces'],
    [
      'plans.0.name',
      ' Team',
      'plans[0].name must be one line of 1 to 100 characters, without leading or trailing spaces',
    ],
    [
      'plans.0.name',
      'a\nb',
      'plans[0].name must be one line of 1 to 100 characters, without leading or trailing spaces',
    ],
    [
      'plans.0.name',
      'x'.repeat(101),
      'plans[0].name must be one line of 1 to 100 characters, without leading or trailing spaces',
    ],
    [
      'plans.0.description',
      undefined,
      'plans[0].description is required and must be one line of 1 to 1000 characters, without leading or trailing spaces',
    ],
    [
      'plans.0.price',
      '15',
      'plans[0].price must be a whole number of minor units (2900 is 29.00) from 0 to 1,000,000,000, or null for a plan that is sold by contact',
    ],
    [
      'plans.0.price',
      -1,
      'plans[0].price must be a whole number of minor units (2900 is 29.00) from 0 to 1,000,000,000, or null for a plan that is sold by contact',
    ],
    [
      'plans.0.price',
      1_000_000_001,
      'plans[0].price must be a whole number of minor units (2900 is 29.00) from 0 to 1,000,000,000, or null for a plan that is sold by contact',
    ],
    ['plans.0.currency', 'USD', 'plans[0].currency must be an ISO 4217 code in lowercase, such as usd'],
    ['plans.0.interval', 'year', 'plans[0].interval must be month'],
    ['plans.0.contact_sales', 'no', 'plans[0].contact_sales must be true or false'],
    ['plans.0.tier', 'gold', 'plans[0].tier must be free, pro, or enterprise'],
    [
      'plans.0.product',
      7,
      'plans[0].product must be one line of 1 to 100 characters, without leading or trailing spaces',
    ],
    ['plans.0.features.seats', 0, 'plans[0].features.seats must be a whole number from 1 to 10,000, or unlimited'],
    ['plans.0.features.sso', undefined, 'plans[0].features.sso is required and must be true or false'],
    [
      'plans.0.features.speed',
      true,
      'plans[0].features.speed is unknown. Known names: seats, ai_assistance, cloud_workstations, priority_support, sso, audit_logs, dedicated_support',
    ],
    [
      'plans.0.license_features.team_collaboration',
      undefined,
      'plans[0].license_features.team_collaboration is required and must be true or false',
    ],
    [
      'plans.0.license_features.export_4k',
      null,
      'plans[0].license_features.export_4k must be true, false, a number, or a string of at most 255 characters',
    ],
    ['plans.0.license_features.ai_assistance', 1, 'plans[0].license_features.ai_assistance must be true or false'],
    [
      'plans.0.license_features.Export',
      true,
      'plans[0].license_features.Export is unknown. Known names: ai_assistance, cloud_workstations, team_collaboration, priority_support, and names with 1 to 64 of the characters a-z, 0-9, and _, beginning with a letter',
    ],
    [
      'plans.0.included.ai_tokens',
      -1,
      'plans[0].included.ai_tokens must be a whole number from 0 to 1,000,000,000,000',
    ],
    [
      'plans.0.included.A b',
      1,
      'plans[0].included."A b" must have a name with 1 to 64 of the characters a-z, 0-9, and _, beginning with a letter',
    ],
    [
      'plans.0.grace',
      '3',
      'plans[0].grace must be a whole number of seconds, or a number with a unit, such as 3d, 12h, 15m, or 90s',
    ],
    [
      'plans.0.heartbeat.timeout',
      undefined,
      'plans[0].heartbeat.timeout is required and must be a whole number of seconds, or a number with a unit, such as 3d, 12h, 15m, or 90s',
    ],
    [
      'plans.0.trial_days',
      14,
      'plans[0].trial_days is unknown. Known names: key, name, description, price, currency, interval, contact_sales, tier, product, features, license_features, included, grace, heartbeat, policy',
    ],
    ['coupons.0.code', 'A B', 'coupons[0].code must be 1 to 64 letters, digits, -, and _'],
    ['coupons.0.percent_off', 101, 'coupons[0].percent_off must be a whole number from 1 to 100'],
    ['coupons.1.amount_off', 0, 'coupons[1].amount_off must be a whole number of minor units from 1 to 1,000,000,000'],
    ['coupons.0.duration', 'twice', 'coupons[0].duration must be once, repeating, or forever'],
    ['coupons.1.duration_months', 0, 'coupons[1].duration_months must be a whole number from 1 to 120'],
    [
      'coupons.0.redeem_by',
      '2030-06-30',
      'coupons[0].redeem_by must be a time with a time zone, such as 2027-12-31T23:59:59Z',
    ],
    ['coupons.0.max_redemptions', 0, 'coupons[0].max_redemptions must be a whole number from 1 to 1,000,000,000'],
    [
      'coupons.0.max_redemptions_per_organization',
      0,
      'coupons[0].max_redemptions_per_organization must be a whole number from 1 to 1,000,000',
    ],
    ['meters.0.aggregation', 'average', 'meters[0].aggregation must be sum, last, or max'],
    [
      'meters.0.name',
      'AI tokens',
      'meters[0].name must be 1 to 64 of the characters a-z, 0-9, and _, beginning with a letter',
    ],
  ])('with %s as %j is refused with the path and the expected value', (path, value, fault) => {
    expect(faultsOf(catalogueFileWith([path, value]))).toContain(fault);
  });

  it.each(['', 'plans', '- a', '42'])(
    'that contains %j is refused with an explanation of what a catalogue is',
    (text) => {
      expect(faultsOf(text)).toEqual([
        'the file must be a mapping with a list named plans and, optionally, lists named products, coupons, and meters',
      ]);
    },
  );

  it('is refused with all of its errors', () => {
    const faults = faultsOf(
      catalogueFileWith(
        ...(['key', 'name', 'price', 'currency', 'interval', 'tier', 'product', 'grace'] as const).map(
          (name) => [`plans.0.${name}`, {}] as const,
        ),
        ['plans.1.features', 3],
        ['coupons.0.duration', 3],
      ),
    );
    expect(faults).toHaveLength(10);
  });
});

describe('a file that contradicts itself', () => {
  it.each<readonly [ReadonlyArray<readonly [string, unknown]>, string]>([
    [[['plans.0.contact_sales', true]], 'plans[0].price must be null, because contact_sales is true'],
    [[['plans.1.contact_sales', undefined]], 'plans[1].contact_sales must be true, because price is null'],
    [[['plans.0.currency', 'uds']], 'plans[0].currency must be a known currency code (ISO 4217)'],
    [
      [
        ['plans.0.currency', 'kwd'],
        ['plans.0.price', 1_234],
      ],
      'plans[0].price must be a multiple of 10, because cards can only be charged in steps of 0.010 KWD',
    ],
    [
      [
        ['coupons.1.currency', 'mga'],
        ['coupons.1.amount_off', 550],
      ],
      'coupons[1].amount_off must be a multiple of 100, because cards can only be charged in steps of 1.00 MGA',
    ],
    [[['plans.0.included.seats', 1]], 'plans[0].included.seats must be the name of a meter in the list meters'],
    [[['plans.0.grace', '366d']], 'plans[0].grace must be at most 365d'],
    [
      [['plans.0.heartbeat.timeout', '30s']],
      'plans[0].heartbeat.timeout must be longer than heartbeat.interval, or sessions time out between heartbeats',
    ],
    [[['plans.0.heartbeat.timeout', '8d']], 'plans[0].heartbeat.timeout must be at most 7d'],
    [[['plans.0.heartbeat.interval', '0s']], 'plans[0].heartbeat.interval must be from 1s to 1d'],
    [[['plans.1.key', 'team']], 'plans[1].key must not be team, because plans[0] already uses it'],
    [[['coupons.1.code', 'Welcome']], 'coupons[1].code must not be WELCOME, because coupons[0] already uses it'],
    [
      [['meters.1', { name: 'ai_tokens', aggregation: 'max' }]],
      'meters[1].name must not be ai_tokens, because meters[0] already uses it',
    ],
    [[['coupons.0.percent_off', undefined]], 'coupons[0].percent_off or amount_off is required, but not both'],
    [[['coupons.1.percent_off', 5]], 'coupons[1].percent_off or amount_off is required, but not both'],
    [
      [['coupons.1.currency', undefined]],
      'coupons[1].currency is required with amount_off, and not allowed without it',
    ],
    [[['coupons.0.currency', 'usd']], 'coupons[0].currency is required with amount_off, and not allowed without it'],
    [
      [['coupons.1.duration_months', undefined]],
      'coupons[1].duration_months is required if duration is repeating, and not allowed otherwise',
    ],
    [
      [['coupons.0.duration_months', 2]],
      'coupons[0].duration_months is required if duration is repeating, and not allowed otherwise',
    ],
    [
      [['coupons.0.redeem_by', '2030-02-30T00:00:00Z']],
      'coupons[0].redeem_by must be a valid time in the year 2000 or later',
    ],
    [
      [['coupons.0.redeem_by', '2030-01-01T25:00:00Z']],
      'coupons[0].redeem_by must be a valid time in the year 2000 or later',
    ],
  ])('by %j is refused', (changes, fault) => {
    expect(faultsOf(catalogueFileWith(...changes))).toEqual([fault]);
  });
});
