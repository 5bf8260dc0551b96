import type { JsonSchema } from './api-description.ts';
import { goodValue, type Making } from './good-values.ts';
import { oddText, oddValue, RawJson, toJsonText } from './odd-values.ts';
import type { Random } from './random.ts';

/** A body that fits the schema and should be accepted. */
export function goodBody(making: Making, schema: JsonSchema): Buffer {
  return Buffer.from(toJsonText(goodValue(making, schema)));
}

/** A body for the schema: a good one, one with a spoiled value, or one that is spoiled as text. */
export function mutateBody(making: Making, schema: JsonSchema): Buffer {
  const { random } = making;
  const good = goodValue(making, schema);
  const dice = random.next();
  if (dice < 0.4) {
    return Buffer.from(toJsonText(good));
  }
  if (dice < 0.8) {
    return Buffer.from(toJsonText(spoilValue(random, good)));
  }
  return random.pick(SPOILED_TEXTS)(toJsonText(good), random);
}

/** One part of the value becomes odd, disappears, or gets a new neighbor. */
function spoilValue(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof RawJson || random.chance(0.1)) {
    return oddValue(random);
  }
  if (Array.isArray(value)) {
    return random.chance(0.5) ? value.map((each) => spoilValue(random, each)) : [...value, ...value, oddValue(random)];
  }
  const entries = Object.entries(value);
  const [name = 'x'] = entries.length === 0 ? [] : random.pick(entries);
  switch (random.below(6)) {
    case 0:
      return Object.fromEntries(entries.filter(([key]) => key !== name));
    case 1:
      return { ...value, [random.pick(ODD_KEYS)]: oddValue(random) };
    case 2:
      return { ...value, [oddText(random)]: 1 };
    case 3:
      return { ...value, [name]: oddText(random) };
    default:
      return Object.fromEntries(entries.map(([key, child]) => [key, key === name ? spoilValue(random, child) : child]));
  }
}

const ODD_KEYS = [
  'unknown',
  '',
  ' ',
  'constructor',
  'toString',
  'a.b',
  'a/b',
  '~',
  'organization_id',
  'id',
  'is_admin',
];

const MAX_BODY_BYTES = 262_144;
const padded = (text: string, bytes: number) =>
  Buffer.from(text + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(text))));
const withBytes = (text: string, ...bytes: number[]) =>
  Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from(bytes), Buffer.from(text.slice(-2))]);

const SPOILED_TEXTS: ReadonlyArray<(text: string, random: Random) => Buffer> = [
  () => Buffer.alloc(0),
  () => Buffer.from('null'),
  () => Buffer.from('[]'),
  () => Buffer.from('"text"'),
  () => Buffer.from('0'),
  () => Buffer.from('{'),
  () => Buffer.from('   \n '),
  () => Buffer.from('[{},{}]'),
  () => Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)),
  () => Buffer.from('['.repeat(200_000)),
  () => Buffer.from(`${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`),
  () => Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]),
  () => Buffer.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`${text}\0`),
  (text) => Buffer.from(`${text}${text}`),
  (text) => Buffer.from(`[${text}]`),
  (text) => Buffer.from(text.replaceAll('"', "'")),
  (text) => Buffer.from(text.replace('}', ',}')),
  (text) => Buffer.from(text.replace('{', '{"__proto__":{"a":1},')),
  (text) => Buffer.from(text.replace('{', '{"a":NaN,')),
  (text) => Buffer.from(text.replace('{', `{${text.slice(1, -1)},`)),
  (text) => withBytes(text, 0),
  (text) => withBytes(text, 0xff),
  (text) => withBytes(text, 0xc0, 0x80),
  (text) => withBytes(text, 0xed, 0xa0, 0x80),
  (text) => withBytes(text, 0xf4, 0x90, 0x80, 0x80),
  (text, random) => Buffer.from(text.slice(0, random.below(text.length + 1))),
  (text, random) => Buffer.from(text.replace(/"[^"]*"(?=[,}])/, () => toJsonText(oddValue(random)))),
  (text) => padded(text, MAX_BODY_BYTES - 1),
  (text) => padded(text, MAX_BODY_BYTES),
  (text) => padded(text, MAX_BODY_BYTES + 1),
  (text) => padded(text, 2 * MAX_BODY_BYTES),
];
