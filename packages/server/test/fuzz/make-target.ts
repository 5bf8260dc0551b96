import type { JsonSchema } from './api-description.ts';
import type { Making } from './good-values.ts';
import { oddText } from './odd-values.ts';
import type { Random } from './random.ts';

/** Path and query of a request: what the operation expects, or with odd parts. */
export function makeTarget(making: Making): string {
  return makePath(making) + makeQuery(making);
}

/** A text as the bytes of a URL. */
export const asBytes = (text: string) => Buffer.from(text).toString('latin1');

function makePath(making: Making): string {
  const { random, operation, isGood } = making;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    isGood || random.chance(0.6) ? goodParameter(making, name) : random.pick(ODD_SEGMENTS)(random),
  );
  return isGood || random.chance(0.96) ? path : random.pick(ODD_PATHS)(path);
}

/**
 * The supply's parameter, or else one of the caller's own resources. Occasionally someone else's, or one for another
 * operation.
 */
function goodParameter({ random, operation, world, supply, isGood }: Making, name: string): string {
  const supplied = supply.path?.[name];
  if (supplied !== undefined && (isGood || random.chance(0.7))) {
    return supplied;
  }
  const { own, others } = world.idsFor(operation.path, name);
  return isGood || random.chance(0.7) ? random.pick(own) : random.pick([...own, ...others]);
}

const ODD_SEGMENTS: ReadonlyArray<(random: Random) => string> = [
  () => '%',
  () => '%zz',
  () => '%00',
  () => 'lic_%00',
  () => '%C0%80',
  () => '%ED%A0%80',
  () => '%F0%9F%92%A9',
  () => 'a%2Fb',
  () => '%2e%2e',
  () => '..',
  () => '',
  () => ' '.replace(' ', '%20'),
  () => '%0d%0aX-Evil:%201',
  () => asBytes('лицензия'),
  () => '\xff\xfe',
  () => 'x'.repeat(129),
  () => 'x'.repeat(301),
  () => 'x'.repeat(9_000),
  () => 'x'.repeat(20_000),
  () => "'--",
  () => '__proto__',
  () => 'constructor',
  () => '*',
  () => '{license_id}',
  () => 'public-key',
  () => ':id',
  (random) => encodeURIComponent(oddText(random).slice(0, 500).toWellFormed()),
];

const ODD_PATHS: ReadonlyArray<(path: string) => string> = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => `${path}%2f..`,
  (path) => `${path}/../me`,
  (path) => `/.${path}`,
  (path) => `http://api.test${path}`,
  (path) => `${path}#fragment`,
  (path) => `${path};a=b`,
  (path) => path.slice(0, -1),
  () => '*',
  () => '/',
  () => '/%',
  () => `/${'a/'.repeat(2_000)}`,
];

/** A cursor is good only with the order that it was made for. A preview needs to know what to preview. */
const CHANCES_IF_GOOD: Readonly<Record<string, number>> = { cursor: 0, quantity: 1 };

function isAsked({ random, operation, supply, isGood }: Making, name: string): boolean {
  if (isGood && operation.id === 'explainSeat') {
    // It takes one name of the user and one of the license, and no more.
    return supply.fields?.[name] !== undefined;
  }
  return random.chance((isGood ? CHANCES_IF_GOOD[name] : undefined) ?? 0.25);
}

function makeQuery(making: Making): string {
  const { random, operation, isGood } = making;
  const parts: string[] = [];
  for (const { name, schema } of operation.query) {
    if (isAsked(making, name)) {
      parts.push(`${name}=${isGood || random.chance(0.6) ? goodQuery(making, name, schema) : oddQuery(random)}`);
    }
  }
  if (!isGood && random.chance(0.05)) {
    parts.push(random.pick(ODD_PARAMETERS));
  }
  if (!isGood && parts.length > 0 && random.chance(0.05)) {
    parts.push(parts[0] ?? '');
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function goodQuery({ random, operation, world, supply }: Making, name: string, schema: JsonSchema): string {
  if (schema.enum !== undefined) {
    return String(random.pick(schema.enum));
  }
  switch (name) {
    case 'cursor':
      return random.pick(world.cursorsFor(operation.id));
    case 'limit':
      return String(1 + random.below(100));
    case 'quantity':
      return String(1 + random.below(50));
    case 'user_id':
    case 'license_id':
      return supply.fields?.[name] ?? world.ada.userId;
    case 'plan_id':
      return supply.fields?.plan_id ?? random.pick(world.ids.plan.own);
    case 'action':
      return random.pick(['project.created', 'login.succeeded', 'nothing']);
  }
  if (schema.type === 'boolean') {
    return random.pick(['true', 'false']);
  }
  if (schema.format === 'date-time') {
    return random.pick(['2026-01-31T12:00:00Z', '2020-01-01T00:00:00.000%2B02:00', '2030-01-01T00:00:00+01:00']);
  }
  return random.pick([world.ada.userId, 'studio', ...world.hardwareIds]);
}

function oddQuery(random: Random): string {
  return random.chance(0.7)
    ? random.pick(ODD_QUERY_VALUES)
    : encodeURIComponent(oddText(random).slice(0, 3_000).toWellFormed());
}

const ODD_QUERY_VALUES = [
  '',
  '0',
  '-1',
  '1000000000',
  '99999999999999999999',
  'abc',
  '1.5',
  '1e2',
  '+5',
  '%2B5',
  '0x10',
  '%',
  '%zz',
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%C0%80',
  '\xff',
  '-',
  '--created_at',
  '-created_at,product',
  '__proto__',
  'constructor',
  'null',
  'created_at%20desc',
  '9999-12-31T23:59:59-23:59',
  '9999-12-31T23:59:59.999999999Z',
  '0001-01-01T00:00:00%2B23:59',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-12-31T23:59:60Z',
  'infinity',
  '2026-01-01',
  'eyJhIjoxfQ',
  'A'.repeat(3_000),
  'A'.repeat(200),
];

const ODD_PARAMETERS = [
  '=',
  '&&',
  'x',
  'x=1',
  'limit[]=1',
  '__proto__=1',
  'constructor=1',
  'limit=1',
  '%00=1',
  '?',
  'sort',
];
