import { chargeUnitOf, formatMoney, isKnownCurrency } from '../money/amounts.ts';
import { findPolicyFaults } from '../products/policy-rules.ts';
import { DOCUMENTED_FEATURES } from '../products/product-rules.ts';
import type { PolicyOverrides } from '../schemas.ts';
import type { CatalogueFault } from './catalogue.ts';
import { parseDuration } from './duration.ts';
import type { CatalogueFile, CouponEntry, PlanEntry, ProductEntry } from './file-schema.ts';

/** The faults of a well-formed catalogue file: contradictions within its entries and between them. */
export function findBrokenRules(file: CatalogueFile): CatalogueFault[] {
  const { products = [], plans, coupons = [], meters = [] } = file;
  const meterNames = new Set(meters.map((meter) => meter.name));
  return [
    ...products.flatMap((product, index) => judgeProduct(product).map(at(`products[${index}]`))),
    ...plans.flatMap((plan, index) => judgePlan(plan, meterNames).map(at(`plans[${index}]`))),
    ...coupons.flatMap((coupon, index) => judgeCouponEntry(coupon).map(at(`coupons[${index}]`))),
    ...findRepeated(
      'products',
      'key',
      products.map((product) => product.key),
    ),
    ...findRepeated(
      'plans',
      'key',
      plans.map((plan) => plan.key),
    ),
    ...findRepeated(
      'coupons',
      'code',
      coupons.map((coupon) => coupon.code.toUpperCase()),
    ),
    ...findRepeated(
      'meters',
      'name',
      meters.map((meter) => meter.name),
    ),
  ];
}

/** The time that a coupon ends, or undefined for an invalid date such as 30 February. */
export function parseRedeemBy(text: string): Date | undefined {
  const time = new Date(text);
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day));
  const isReal = date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  const isShowable = time.getTime() >= EARLIEST_MS && time.getTime() <= LATEST_MS;
  return isReal && isShowable ? time : undefined;
}

const EARLIEST_MS = Date.parse('2000-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

type Broken = readonly [field: string, problem: string];

function judgePlan(plan: PlanEntry, meterNames: ReadonlySet<string>): Broken[] {
  const broken: Broken[] = [];
  const isByContact = plan.contact_sales === true;
  if (isByContact !== (plan.price === null)) {
    broken.push(
      isByContact
        ? ['price', 'must be null, because contact_sales is true']
        : ['contact_sales', 'must be true, because price is null'],
    );
  }
  broken.push(...judgeCurrency(plan.currency), ...judgeAmount('price', plan.price, plan.currency));
  for (const meter of Object.keys(plan.included ?? {})) {
    if (!meterNames.has(meter)) {
      broken.push([`included.${meter}`, 'must be the name of a meter in the list meters']);
    }
  }
  if (parseDuration(plan.grace ?? '0s') > MAX_GRACE_SECONDS) {
    broken.push(['grace', 'must be at most 365d']);
  }
  return [...broken, ...judgeHeartbeat(plan), ...judgePolicy(plan.policy, plan.heartbeat !== undefined)];
}

function judgeProduct({ features = {}, policy }: ProductEntry): Broken[] {
  const mistyped = DOCUMENTED_FEATURES.filter((feature) => (features[feature]?.type ?? 'boolean') !== 'boolean');
  const broken = mistyped.map(
    (feature): Broken => [`features.${feature}.type`, 'must be boolean, because every license has it'],
  );
  return [...broken, ...judgePolicy(policy, false)];
}

function judgePolicy(policy: PolicyOverrides = {}, hasHeartbeat: boolean): Broken[] {
  const again = (['heartbeat_interval', 'session_timeout'] as const).filter((field) => policy[field] !== undefined);
  if (hasHeartbeat && again.length > 0) {
    return again.map((field): Broken => [`policy.${field}`, 'must not be set, because heartbeat is']);
  }
  return findPolicyFaults(policy).map(({ field, problem }): Broken => [`policy.${field}`, problem]);
}

function judgeHeartbeat({ heartbeat }: PlanEntry): Broken[] {
  if (heartbeat === undefined) {
    return [];
  }
  const interval = parseDuration(heartbeat.interval);
  const timeout = parseDuration(heartbeat.timeout);
  const broken: Broken[] = [];
  if (interval < 1 || interval > 86_400) {
    broken.push(['heartbeat.interval', 'must be from 1s to 1d']);
  }
  if (timeout > 604_800) {
    broken.push(['heartbeat.timeout', 'must be at most 7d']);
  }
  if (timeout <= interval) {
    broken.push([
      'heartbeat.timeout',
      'must be longer than heartbeat.interval, or sessions time out between heartbeats',
    ]);
  }
  return broken;
}

function judgeCouponEntry(coupon: CouponEntry): Broken[] {
  const broken: Broken[] = [];
  if ((coupon.percent_off === undefined) === (coupon.amount_off === undefined)) {
    broken.push(['percent_off', 'or amount_off is required, but not both']);
  }
  if ((coupon.amount_off === undefined) !== (coupon.currency === undefined)) {
    broken.push(['currency', 'is required with amount_off, and not allowed without it']);
  }
  broken.push(...judgeCurrency(coupon.currency), ...judgeAmount('amount_off', coupon.amount_off, coupon.currency));
  if ((coupon.duration === 'repeating') !== (coupon.duration_months !== undefined)) {
    broken.push(['duration_months', 'is required if duration is repeating, and not allowed otherwise']);
  }
  if (coupon.redeem_by !== undefined && parseRedeemBy(coupon.redeem_by) === undefined) {
    broken.push(['redeem_by', 'must be a valid time in the year 2000 or later']);
  }
  return broken;
}

function judgeCurrency(currency: string | undefined): Broken[] {
  const isKnown = currency === undefined || isKnownCurrency(currency);
  return isKnown ? [] : [['currency', 'must be a known currency code (ISO 4217)']];
}

/** Refuses prices that no provider can charge, before a customer tries to buy. */
function judgeAmount(field: string, amount: number | null | undefined, currency: string | undefined): Broken[] {
  const unit = currency === undefined ? 1 : chargeUnitOf(currency);
  if (currency === undefined || (amount ?? 0) % unit === 0) {
    return [];
  }
  const step = formatMoney(unit, currency);
  return [[field, `must be a multiple of ${unit}, because cards can only be charged in steps of ${step}`]];
}

const MAX_GRACE_SECONDS = 365 * 86_400;

function findRepeated(list: string, field: string, values: readonly string[]): CatalogueFault[] {
  const first = new Map<string, number>();
  return values.flatMap((value, index) => {
    const before = first.get(value);
    if (before === undefined) {
      first.set(value, index);
      return [];
    }
    return [
      {
        name: `${list}[${index}].${field}`,
        problem: `must not be ${value}, because ${list}[${before}] already uses it`,
      },
    ];
  });
}

function at(path: string): (broken: Broken) => CatalogueFault {
  return ([field, problem]) => ({ name: `${path}.${field}`, problem });
}
