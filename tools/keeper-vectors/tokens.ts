import { createHmac, createPrivateKey, sign } from 'node:crypto';
import TEST_KEYS from './test-keys.json' with { type: 'json' };

/** What all vectors have in common. */
export const EPOCH_MS = Date.parse('2026-02-01T12:00:00.000Z');
export const BASE_URL = 'https://seats.test';
export const AUDIENCE = 'seathold-client';
export const LICENSE_KEY = 'AB1CD-2EF3G-4HJ5K-6MN7P';
export const HARDWARE_ID = 'hw_0123456789abcdef0123456789abcdef';
export const FEATURES = { ai_assistance: true, render_nodes: 4 };
export const SESSION = 'sess_01kagt2m8xf3q9wz5r7e6b4c1h';
export const OTHER_SESSION = 'sess_01kagt2m8xf3q9wz5r7e6b4c2j';
const LICENSE = 'lic_01kagt2m8xf3q9wz5r7e6b4c1g';

type KeyName = keyof typeof TEST_KEYS;

const DAY = 86_400;
const IAT = EPOCH_MS / 1000;

/** Claims of a license token, issued at the epoch for a day. */
function claims(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    iss: BASE_URL,
    aud: AUDIENCE,
    sub: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
    jti: SESSION,
    iat: IAT,
    nbf: IAT,
    exp: IAT + DAY,
    org: 'org_01kagt2m8xf3q9wz5r7e6b4c1e',
    lic: LICENSE,
    hw: HARDWARE_ID,
    product: 'studio',
    features: FEATURES,
    max_seats: 5,
    ...changes,
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signJwt(content: object, key: KeyName = 'first', header: object = {}): string {
  const { kid } = TEST_KEYS[key];
  const text = `${encode({ alg: 'RS256', typ: 'JWT', kid, ...header })}.${encode(content)}`;
  const privateKey = createPrivateKey({ key: TEST_KEYS[key], format: 'jwk' });
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

function signList(revoked: readonly string[], iat = IAT, key: KeyName = 'first', changes: object = {}): string {
  const content = { iss: BASE_URL, iat, exp: iat + DAY, revoked, ...changes };
  return signJwt(content, key, { typ: 'revocations+jwt' });
}

function publicKeys(...names: KeyName[]): { keys: object[] } {
  return {
    keys: names.map((name) => {
      const { kty, n, e, kid, use, alg } = TEST_KEYS[name];
      return { kty, n, e, kid, use, alg };
    }),
  };
}

/** A token with another payload under the signature of the first. */
function tamper(token: string): string {
  const [header = '', , signature = ''] = token.split('.');
  return `${header}.${encode(claims({ max_seats: 500 }))}.${signature}`;
}

function hmac(): string {
  const text = `${encode({ alg: 'HS256', typ: 'JWT', kid: 'key_first' })}.${encode(claims())}`;
  return `${text}.${createHmac('sha256', TEST_KEYS.first.n).update(text).digest('base64url')}`;
}

const valid = signJwt(claims());

/** What strings that begin with `@` stand for. */
export const TEXTS: Readonly<Record<string, string>> = {
  'keys.first': JSON.stringify(publicKeys('first')),
  'keys.both': JSON.stringify(publicKeys('second', 'first')),
  'token.valid': valid,
  'token.renewed': signJwt(claims({ iat: IAT + 30, nbf: IAT + 30, exp: IAT + 30 + DAY })),
  'token.other_session': signJwt(claims({ jti: OTHER_SESSION, exp: IAT + 2 * DAY })),
  'token.two_minutes': signJwt(claims({ exp: IAT + 120 })),
  'token.offline_14_days': signJwt(claims({ exp: IAT + 14 * DAY })),
  'token.offline_renewed': signJwt(claims({ iat: IAT + 10, nbf: IAT + 10, exp: IAT + 10 + 14 * DAY })),
  'token.second_key': signJwt(claims({ iat: IAT + 30, nbf: IAT + 30, exp: IAT + 30 + DAY }), 'second'),
  'token.wrong_issuer': signJwt(claims({ iss: 'https://elsewhere.test' })),
  'token.wrong_audience': signJwt(claims({ aud: 'another-client' })),
  'token.wrong_hardware': signJwt(claims({ hw: 'hw_ffffffffffffffffffffffffffffffff' })),
  'token.tampered': tamper(valid),
  'token.stranger': signJwt(claims(), 'stranger'),
  'token.unsigned': `${encode({ alg: 'none', typ: 'JWT', kid: 'key_first' })}.${encode(claims())}.AA`,
  'token.hmac': hmac(),
  'token.without_session': signJwt(claims({ jti: undefined })),
  'token.not_yet_valid': signJwt(claims({ iat: IAT + 61, nbf: IAT + 61 })),
  'token.soon_valid': signJwt(claims({ iat: IAT + 60, nbf: IAT + 60 })),
  'token.three_parts_short': valid.split('.').slice(0, 2).join('.'),
  'token.not_base64': `${valid.slice(0, -4)}=**=`,
  'list.empty': signList([]),
  'list.session': signList([SESSION]),
  'list.license': signList([LICENSE]),
  'list.others': signList(['sess_01kagt2m8xf3q9wz5r7e6b4c9z']),
  'list.older': signList([], IAT - 60),
  'list.second_key': signList([SESSION], IAT, 'second'),
  'list.stranger': signList([SESSION], IAT, 'stranger'),
  'list.wrong_issuer': signList([SESSION], IAT, 'first', { iss: 'https://elsewhere.test' }),
  'list.past_its_end': signList([SESSION], IAT - 2 * DAY),
  'list.not_a_list': signList([], IAT, 'first', { revoked: 'all' }),
};

const T = IAT;

/** Tokens one by one. The first fault in the order of the reference counts. */
export const TOKEN_VECTORS = [
  ['a good token', 'token.valid', T, 'valid'],
  ['one second before it expires', 'token.valid', T + DAY - 1, 'valid'],
  ['at the second when it expires', 'token.valid', T + DAY, 'expired'],
  ['before it is valid, within the tolerance', 'token.soon_valid', T, 'valid'],
  ['before it is valid', 'token.not_yet_valid', T, 'not_yet_valid'],
  ['of another service', 'token.wrong_issuer', T, 'issuer'],
  ['for another audience', 'token.wrong_audience', T, 'audience'],
  ['of another machine', 'token.wrong_hardware', T, 'hardware'],
  ['of another session than the answer says', 'token.other_session', T, 'session', { session_id: SESSION }],
  ['whose session is not known', 'token.other_session', T, 'valid'],
  ['whose claims were changed', 'token.tampered', T, 'signature'],
  ['signed with another key of the same name', 'token.stranger', T, 'signature'],
  ['signed with a key that is not in the set', 'token.second_key', T + 30, 'unknown_key'],
  ['signed with the second key of the set', 'token.second_key', T + 30, 'valid', { keys: 'keys.both' }],
  ['without a signature', 'token.unsigned', T, 'algorithm'],
  ['with a signature by HMAC', 'token.hmac', T, 'algorithm'],
  ['that is a revocation list', 'list.empty', T, 'type'],
  ['without a session', 'token.without_session', T, 'malformed'],
  ['with two parts', 'token.three_parts_short', T, 'malformed'],
  ['with other characters', 'token.not_base64', T, 'malformed'],
  ['whose session is revoked', 'token.valid', T, 'revoked', { list: 'list.session' }],
  ['whose license is revoked', 'token.valid', T, 'revoked', { list: 'list.license' }],
  ['while others are revoked', 'token.valid', T, 'valid', { list: 'list.others' }],
  ['expired and revoked', 'token.valid', T + DAY, 'expired', { list: 'list.session' }],
].map(([name, token, now, expect, more]) => ({ name, token: `@${token}`, now, expect, ...references(Object(more)) }));

/** Revocation lists one by one. `after` is the list that is in use before. */
export const LIST_VECTORS = [
  ['an empty list', 'list.empty', 'valid', []],
  ['a list with a session', 'list.session', 'valid', [SESSION]],
  ['a list that has expired is still a list', 'list.past_its_end', 'valid', [SESSION]],
  ['an older list than the one in use changes nothing', 'list.older', 'valid', [SESSION], { after: 'list.session' }],
  ['a list of the same second is taken', 'list.empty', 'valid', [], { after: 'list.session' }],
  ['signed with another key of the same name', 'list.stranger', 'signature', []],
  ['signed with a key that is not in the set', 'list.second_key', 'unknown_key', []],
  ['signed with the second key of the set', 'list.second_key', 'valid', [SESSION], { keys: 'keys.both' }],
  ['of another service', 'list.wrong_issuer', 'issuer', []],
  ['a license token is no list', 'token.valid', 'type', []],
  ['without an array', 'list.not_a_list', 'malformed', []],
].map(([name, list, expect, revoked, more]) => ({
  name,
  list: `@${list}`,
  expect,
  revoked,
  ...references(Object(more)),
}));

function references(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, /\./.test(name) ? `@${name}` : name]));
}
