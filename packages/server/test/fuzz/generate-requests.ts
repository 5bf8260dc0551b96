import type { JsonSchema, Operation } from './api-description.ts';
import type { FuzzWorld } from './fuzz-world.ts';
import { mutateBody } from './mutate-body.ts';
import { oddText } from './odd-values.ts';
import type { Random } from './random.ts';
import type { RawRequest } from './raw-connection.ts';

/**
 * One request: what the operation wants, spoiled in none, one or more of its parts. Half of them have a good token and
 * path, so that the spoiled part is reached.
 */
export function generateRequest(random: Random, operations: readonly Operation[], world: FuzzWorld): RawRequest {
  const operation = random.pick(operations);
  const method = random.chance(0.95) ? operation.method : random.pick(METHODS);
  const target = makePath(random, operation, world) + makeQuery(random, operation, world);
  const body = makeBody(random, operation, world);
  const headers = makeHeaders(random, operation, world);
  if (body !== undefined) {
    headers.push(...makeContentType(random));
  }
  return { method, target, headers, body, isChunked: body !== undefined && random.chance(0.1) };
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'get', 'X'];

function makePath(random: Random, operation: Operation, world: FuzzWorld): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    random.chance(0.6) ? goodParameter(random, name, operation, world) : random.pick(ODD_SEGMENTS)(random),
  );
  return random.chance(0.96) ? path : random.pick(ODD_PATHS)(path);
}

function goodParameter(random: Random, name: string, operation: Operation, world: FuzzWorld): string {
  if (name === 'license_id') {
    return random.pick([...world.licenses, world.foreignLicense]).id;
  }
  const known = operation.path.includes('/events/') ? world.eventIds : world.apiTokenIds;
  return known.length === 0 ? `tok_0${'0'.repeat(25)}` : random.pick(known);
}

/** A text as it goes into a URL byte by byte. */
const asBytes = (text: string) => Buffer.from(text).toString('latin1');

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

function makeQuery(random: Random, operation: Operation, world: FuzzWorld): string {
  const parts: string[] = [];
  for (const { name, schema } of operation.query) {
    if (random.chance(0.25)) {
      parts.push(`${name}=${random.chance(0.6) ? goodQuery(random, name, schema, world) : oddQuery(random)}`);
    }
  }
  if (random.chance(0.05)) {
    parts.push(random.pick(ODD_PARAMETERS));
  }
  if (parts.length > 0 && random.chance(0.05)) {
    parts.push(parts[0] ?? '');
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function goodQuery(random: Random, name: string, schema: JsonSchema, world: FuzzWorld): string {
  if (schema.enum !== undefined) {
    return String(random.pick(schema.enum));
  }
  if (name === 'cursor') {
    return world.cursors.length === 0 ? 'AAAA' : random.pick(world.cursors);
  }
  if (name === 'limit') {
    return String(1 + random.below(100));
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

function makeHeaders(random: Random, operation: Operation, world: FuzzWorld): Array<readonly [string, string]> {
  const headers: Array<readonly [string, string]> = [];
  const authorization = makeAuthorization(random, operation, world);
  if (authorization !== undefined) {
    headers.push(['Authorization', authorization]);
  }
  if (random.chance(0.08)) {
    headers.push(['X-Organization-Id', random.pick(organizationIds(world))]);
  }
  if (operation.method === 'POST' && random.chance(0.15)) {
    headers.push(['Idempotency-Key', random.pick(IDEMPOTENCY_KEYS)]);
  }
  if (random.chance(0.05)) {
    headers.push(random.pick(ODD_HEADERS));
  }
  return headers;
}

function makeAuthorization(random: Random, operation: Operation, world: FuzzWorld): string | undefined {
  if (operation.id === 'logout') {
    return `Bearer ${world.grace.accessToken}`;
  }
  if (random.chance(0.8)) {
    return `Bearer ${random.pick([world.ada.accessToken, world.ada.accessToken, world.apiToken])}`;
  }
  const token = random.pick([world.eve.accessToken, ...world.badTokens]);
  return random.pick([
    undefined,
    '',
    `Bearer ${token}`,
    `bearer   ${token}  `,
    `Basic ${token}`,
    token,
    `Bearer ${token} x`,
  ]);
}

function organizationIds({ ada, eve }: FuzzWorld): string[] {
  return [
    ada.organizationId,
    eve.organizationId,
    '',
    'garbage',
    asBytes('орг'),
    '\xff\x80',
    'x'.repeat(5_000),
    `${ada.organizationId}, ${eve.organizationId}`,
  ];
}

const IDEMPOTENCY_KEYS = [
  'a',
  'b',
  'a key with spaces',
  'x'.repeat(255),
  'x'.repeat(256),
  '',
  'é',
  asBytes('ключ'),
  '\ttab\t',
  "'; --",
];

const ODD_HEADERS: ReadonlyArray<readonly [string, string]> = [
  ['X-Forwarded-For', 'garbage, 1.2.3.4, ::1'],
  ['X-Forwarded-For', ','.repeat(500)],
  ['X-Request-Id', 'forged'],
  ['Accept', 'text/plain;q=0'],
  ['Accept-Encoding', '*;q=0'],
  ['Content-Encoding', 'gzip'],
  ['Origin', 'null'],
  ['Range', 'bytes=0-1'],
  ['If-Match', '*'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Cookie', 'a=b; __proto__=c'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['Expect', 'the-unexpected'],
  ['Upgrade', 'websocket'],
];

function makeContentType(random: Random): Array<readonly [string, string]> {
  if (random.chance(0.92)) {
    return [['Content-Type', random.pick(['application/json', 'application/json; charset=utf-8'])]];
  }
  const odd = random.pick(ODD_CONTENT_TYPES);
  return odd === undefined ? [] : [['Content-Type', odd]];
}

const ODD_CONTENT_TYPES = [
  undefined,
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json;',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/jsonp',
  'application/problem+json',
  'json',
  '\xff',
  'application/json, text/plain',
];

/** Now and then a body where none belongs. */
function makeBody(random: Random, operation: Operation, world: FuzzWorld): Buffer | undefined {
  if (operation.body === undefined) {
    return random.chance(operation.method === 'POST' ? 0.4 : 0.05) ? mutateBody(random, {}, world) : undefined;
  }
  return random.chance(0.97) ? mutateBody(random, operation.body, world) : undefined;
}
