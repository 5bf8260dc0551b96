import { stringify } from 'yaml';
import { type Catalogue, InvalidCatalogue } from '../../src/billing/catalogue/catalogue.ts';
import { parseCatalogue } from '../../src/billing/catalogue/parse-catalogue.ts';

/** A catalogue file with every kind of entry, as plain values that a test changes before they are written. */
export function catalogueFile() {
  const flags = { ai_assistance: true, cloud_workstations: false, priority_support: false };
  return {
    plans: [
      {
        key: 'team',
        name: 'Team',
        description: 'For teams.',
        price: 1500,
        currency: 'usd',
        interval: 'month',
        tier: 'pro',
        product: 'studio',
        features: { ...flags, seats: 50, sso: false, audit_logs: true, dedicated_support: false },
        license_features: { ...flags, team_collaboration: true, export_4k: true },
        included: { ai_tokens: 5000 },
        grace: '5d',
        heartbeat: { interval: '30s', timeout: '90s' },
      },
      {
        key: 'custom',
        name: 'Custom',
        description: 'Talk to us.',
        price: null,
        currency: 'usd',
        interval: 'month',
        contact_sales: true,
        tier: 'enterprise',
        product: 'studio',
        features: { ...flags, seats: 'unlimited', sso: true, audit_logs: true, dedicated_support: true },
        license_features: { ...flags, team_collaboration: true },
      },
    ],
    coupons: [
      { code: 'welcome', percent_off: 20, duration: 'once', redeem_by: '2030-06-30T23:59:59Z', max_redemptions: 10 },
      {
        code: 'FIVE-OFF',
        amount_off: 500,
        currency: 'usd',
        duration: 'repeating',
        duration_months: 3,
        max_redemptions_per_organization: 4,
      },
    ],
    meters: [{ name: 'ai_tokens', aggregation: 'sum' }],
  };
}

/** Sets values of such a file by path, for example `plans.0.price`. Undefined removes a value. */
export function catalogueFileWith(...changes: ReadonlyArray<readonly [path: string, value: unknown]>): string {
  const file: unknown = catalogueFile();
  for (const [path, value] of changes) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place = file;
    for (const name of names) {
      place = Reflect.get(Object(place), name);
    }
    if (value === undefined) {
      Reflect.deleteProperty(Object(place), last);
    } else {
      Reflect.set(Object(place), last, value);
    }
  }
  return stringify(file);
}

/** The catalogue of such a file. */
export function catalogueWith(...changes: ReadonlyArray<readonly [path: string, value: unknown]>): Catalogue {
  return parseCatalogue(catalogueFileWith(...changes));
}

/** Every mistake in a file, as printed. */
export function faultsOf(text: string): string[] {
  try {
    parseCatalogue(text);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidCatalogue)) {
      throw error;
    }
    return error.problems.map(({ name, problem }) => `${name} ${problem}`);
  }
}
