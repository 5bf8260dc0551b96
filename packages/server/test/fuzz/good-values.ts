import type { JsonSchema, Operation } from './api-description.ts';
import type { FuzzWorld } from './fuzz-world.ts';
import type { Random } from './random.ts';
import type { Supply } from './supply.ts';

/** What a request is made from. A good one should be accepted. Any other may be spoiled anywhere. */
export interface Making {
  random: Random;
  operation: Operation;
  world: FuzzWorld;
  supply: Supply;
  isGood: boolean;
}

/** A value that fits the schema, from the resources that exist. */
export function goodValue(making: Making, schema: JsonSchema, name = ''): unknown {
  const { random } = making;
  if (schema.const !== undefined) {
    return schema.const;
  }
  if (schema.enum !== undefined) {
    return random.pick(schema.enum);
  }
  if (schema.anyOf !== undefined) {
    return goodValue(making, random.pick(schema.anyOf), name);
  }
  switch (typeof schema.type === 'string' ? schema.type : random.pick(schema.type ?? [''])) {
    case 'object':
      return goodObject(making, schema);
    case 'array':
      return [goodValue(making, schema.items ?? {}, name)];
    case 'string':
      return goodText(making, schema, name);
    case 'integer':
    case 'number':
      return GOOD_NUMBERS[name]?.(random) ?? Math.max(schema.minimum ?? 0, random.below(100));
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return {};
  }
}

function goodObject(making: Making, schema: JsonSchema): Record<string, unknown> {
  const { random, world, supply, isGood } = making;
  if (schema.properties === undefined) {
    // An arbitrary record: the metadata of a seat.
    const project = random.chance(0.3) ? { project_id: random.pick(world.ids.project.own) } : {};
    return { host: 'a', deep: { list: [1, 'b'] }, ...project };
  }
  const given = isGood ? { ...supply.fields, ...supply.members } : {};
  const belongs = (name: string) =>
    schema.required?.includes(name) === true || given[name] !== undefined || random.chance(0.5);
  const members = Object.entries(schema.properties)
    .filter(([name]) => belongs(name))
    .map(([name, child]) => [name, (isGood ? supply.members?.[name] : undefined) ?? goodValue(making, child, name)]);
  return Object.fromEntries(members);
}

function goodText(making: Making, schema: JsonSchema, name: string): string {
  const { random, supply, isGood } = making;
  const supplied = supply.fields?.[name];
  if (supplied !== undefined && (isGood || random.chance(0.8))) {
    return supplied;
  }
  return schema.format === 'date-time'
    ? random.pick(['2036-01-31T12:00:00Z', '2099-12-31T23:59:59.999+02:00'])
    : (GOOD_TEXTS[name]?.(making) ?? `some ${name} ${random.below(1_000)}`.padEnd(schema.minLength ?? 0, 'x'));
}

/** For a card that has not expired. */
const GOOD_NUMBERS: Readonly<Record<string, (random: Random) => number>> = {
  exp_month: (random) => 1 + random.below(12),
  exp_year: (random) => 2_050 + random.below(10),
};

const GOOD_TEXTS: Readonly<Record<string, (making: Making) => string>> = {
  license_key: ({ random, world, isGood }) =>
    random.pick([...world.licenses.slice(0, isGood ? 1 : undefined), ...(isGood ? [] : [world.foreignLicense])]).key,
  hardware_id: ({ random, world }) => (random.chance(0.5) ? random.pick(world.hardwareIds) : `hw_${random.hex(32)}`),
  session_id: ({ random, world }) => random.pick(world.seatSessionIds),
  email: ({ random, world, isGood }) =>
    isGood || random.chance(0.6) ? `${random.hex(16)}@example.com` : random.pick([world.grace, world.eve]).email,
  password: ({ random }) => `a phrase of ${random.hex(12)}`,
  current_password: ({ world }) => world.grace.password,
  slug: ({ random }) => `slug-${random.hex(8)}`,
  avatar_url: ({ random }) => `https://pictures.example/${random.hex(8)}.png`,
  redirect_uris: ({ random }) => `https://app.example/${random.hex(8)}`,
  url: ({ random }) => `https://93.184.216.34/${random.hex(8)}`,
  events: ({ random }) => random.pick(['*', 'license.*', 'license.seat.*', 'license.expired']),
  secret: ({ random }) => `whsec_${random.hex(40)}`,
  type: ({ random }) => random.pick(['license.expired', 'license.seat.acquired']),
  code: ({ random }) => String(100_000 + random.below(900_000)),
  challenge_token: ({ random }) => `ch_${random.hex(42)}`,
  token: ({ random, world }) => random.pick([...world.mailedTokens, `svc_invite_${random.hex(42)}`]),
  refresh_token: ({ world }) => world.grace.refreshToken,
  plan_id: ({ random, world }) => random.pick([...world.ids.plan.own, 'plan_of_nobody']),
  coupon_code: ({ random }) => random.pick(['FUZZ10', 'NOBODY_GAVE_THIS']),
  payment_method_id: ({ random, world, isGood }) =>
    isGood || random.chance(0.5)
      ? random.pick(['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex'])
      : random.pick(['pm_card_chargeDeclined', ...world.ids.paymentMethod.others, '4242424242424242']),
  number: ({ random, isGood }) =>
    isGood ? '4242 4242 4242 4242' : random.pick(['4242424242424241', '5555555555554444']),
  cvc: ({ random, isGood }) => (isGood ? '123' : random.pick(['12', '1234'])),
};
