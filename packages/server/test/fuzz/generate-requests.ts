import type { FuzzWorld } from './fuzz-world.ts';
import type { Making } from './good-values.ts';
import { asBytes, makeTarget } from './make-target.ts';
import { goodBody, mutateBody } from './mutate-body.ts';
import type { Random } from './random.ts';
import type { RawRequest } from './raw-connection.ts';

/**
 * One request: what the operation expects, spoiled in none, one or more of its parts. Half of the requests have a good
 * token and path, so that the spoiled part is reached. A good one is not spoiled at all.
 */
export function generateRequest(making: Making): RawRequest {
  const { random, operation, isGood } = making;
  const method = isGood || random.chance(0.95) ? operation.method : random.pick(METHODS);
  const target = makeTarget(making);
  const body = makeBody(making);
  const headers = makeHeaders(making);
  if (body !== undefined) {
    headers.push(...(isGood ? [JSON_TYPE] : makeContentType(random)));
  }
  return { method, target, headers, body, isChunked: body !== undefined && random.chance(0.1) };
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'get', 'X'];

function makeHeaders(making: Making): Array<readonly [string, string]> {
  const { random, operation, world, isGood } = making;
  const headers: Array<readonly [string, string]> = [];
  const authorization = makeAuthorization(making);
  if (authorization !== undefined) {
    headers.push(['Authorization', authorization]);
  }
  if (isGood) {
    return headers;
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

/**
 * The supply's own token if it has one: an operation that ends a login, a password or a membership must not end those
 * of others.
 */
function makeAuthorization({ random, world, supply, isGood }: Making): string | undefined {
  if (isGood) {
    return `Bearer ${supply.token ?? world.ada.accessToken}`;
  }
  if (random.chance(0.8)) {
    const usual = [world.ada.accessToken, world.ada.accessToken, world.apiToken];
    return `Bearer ${supply.token ?? random.pick(usual)}`;
  }
  const token = random.pick([...(supply.token === undefined ? world.otherTokens : []), ...world.badTokens]);
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

/** Occasionally a body where none belongs. */
function makeBody(making: Making): Buffer | undefined {
  const { random, operation, isGood } = making;
  if (isGood) {
    return operation.body === undefined ? undefined : goodBody(making, operation.body);
  }
  if (operation.body === undefined) {
    return random.chance(operation.method === 'POST' ? 0.4 : 0.05) ? mutateBody(making, {}) : undefined;
  }
  return random.chance(0.97) ? mutateBody(making, operation.body) : undefined;
}
