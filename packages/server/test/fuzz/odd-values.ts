import type { Random } from './random.ts';

/** JSON to be sent verbatim, where JSON.stringify would write something tamer. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Like JSON.stringify, but leaves raw pieces as they are. */
export function toJsonText(value: unknown): string {
  if (value instanceof RawJson) {
    return value.text;
  }
  if (Array.isArray(value)) {
    return `[${value.map(toJsonText).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}:${toJsonText(child)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** A value that some layer may trip over. */
export function oddValue(random: Random): unknown {
  return random.pick(ODD_VALUES)(random);
}

const raw = (text: string) => () => new RawJson(text);
const nested = (levels: number, open: string, close: string) => raw(`${open.repeat(levels)}1${close.repeat(levels)}`);

const ODD_VALUES: ReadonlyArray<(random: Random) => unknown> = [
  () => null,
  () => true,
  () => 0,
  () => [],
  () => ({}),
  () => '',
  () => ' ',
  () => ['a', ['b', { c: null }]],
  () => ({ constructor: { prototype: { isAdmin: true } } }),
  raw('{"__proto__":{"toString":1},"__proto__":[]}'),
  raw('{"constructor":1,"toString":2,"hasOwnProperty":3,"valueOf":null}'),
  raw('{"":1," ":2,"a.b":3,"a/b~c":4}'),
  raw('{"a":1,"a":2,"a":{"a":[]}}'),
  raw('9007199254740993'),
  raw('-9223372036854775809'),
  raw('1e400'),
  raw('-1e400'),
  raw('{"n":[1e999]}'),
  raw('-0'),
  raw('1e-400'),
  raw('0.1000000000000000055511151231257827'),
  raw('"\\u0000"'),
  raw('"a\\u0000b"'),
  raw('"\\ud800"'),
  raw('"\\udfff\\ud800"'),
  raw('{"\\u0000":1}'),
  raw('{"\\ud800":1}'),
  raw('{"k":{"\\udc00":"v"}}'),
  raw('"\\ufffe\\uffff\\u202e\\u200b"'),
  nested(31, '[', ']'),
  nested(33, '[', ']'),
  nested(200, '[', ']'),
  nested(200, '{"a":', '}'),
  nested(100_000, '[', ']'),
  nested(40_000, '{"a":', '}'),
  (random) => oddText(random),
  (random) => [oddText(random), random.below(1_000_000)],
];

/** A well-formed text that is hard to store, compare or show. */
export function oddText(random: Random): string {
  return random.pick(ODD_TEXTS)(random);
}

const ODD_TEXTS: ReadonlyArray<(random: Random) => string> = [
  () => 'x'.repeat(256),
  () => 'x'.repeat(257),
  () => 'y'.repeat(65_536),
  () => 'z'.repeat(200_000),
  () => 'ä'.repeat(100_000),
  () => '\u0301'.repeat(100),
  () => '👩‍👩‍👧‍👦'.repeat(64),
  () => '\u{10ffff}\u{1d400}',
  () => 'İıßﬃΣς',
  () => "'; drop table users; --",
  () => '%00%0a%s%n{{7*7}}<%= 7*7 %>',
  () => '\r\nSet-Cookie: a=b',
  () => '../../../etc/passwd',
  () => '\t\u000b\u0085\u2028\u2029\ufeff',
  () => 'null',
  () => 'true',
  () => '-1',
  () => '2026-02-30T25:61:61Z',
  () => '9999-12-31T23:59:60.999-23:59',
  () => '0000-01-01T00:00:00+23:59',
  () => '-infinity',
  () => '275760-09-13T00:00:00Z',
  (random) => `lic_${random.hex(26)}`,
  (random) => `sess_7${'z'.repeat(25)}${random.below(10)}`,
];
