import { createHash, randomFillSync } from 'node:crypto';

/** Every prefix of an identifier, by kind (service.md "Resources", contract §4). */
export const ID_PREFIXES = {
  user: 'usr',
  organization: 'org',
  license: 'lic',
  seatSession: 'sess',
  seatWait: 'wait',
  plan: 'plan',
  coupon: 'coup',
  subscription: 'sub',
  invoice: 'inv',
  paymentMethod: 'pm',
  event: 'evt',
  request: 'req',
  apiToken: 'tok',
  loginSession: 'login',
  signingKey: 'key',
  project: 'proj',
  invitation: 'invite',
  oauthApp: 'app',
  oauthGrant: 'grant',
  auditEntry: 'audit',
  mail: 'mail',
  passwordResetRequest: 'reset',
  webhookEndpoint: 'wh',
  webhookSecret: 'whk',
  delivery: 'dlv',
  attempt: 'att',
  replay: 'rpl',
  payment: 'pay',
  creditEntry: 'cred',
  claim: 'claim',
  operatorToken: 'optok',
  usageRecord: 'usage',
  seatRefusal: 'ref',
  activation: 'act',
  portalLink: 'plink',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/**
 * A new identifier: the prefix, an underscore and a UUIDv7 (RFC 9562 §5.7) as 26 characters of lower-case Crockford
 * base32, the TypeID form. Identifiers of one process sort by creation time, also within one millisecond.
 */
export function newId(kind: IdKind): string {
  return encode(kind, nextUuid());
}

/** The lowest possible identifier of this time: all identifiers created since sort at or after it. */
export function firstIdAt(kind: IdKind, ms: number): string {
  const lowest = Buffer.alloc(16);
  lowest.writeUIntBE(Math.max(0, Math.floor(ms)), 0, 6);
  return encode(kind, lowest);
}

/** The creation time of an identifier, in milliseconds. */
export function timeOfId(id: string): number {
  const time = id.slice(id.indexOf('_') + 1).slice(0, TIME_CHARACTERS);
  return [...time].reduce((ms, character) => ms * 32 + ALPHABET.indexOf(character), 0);
}

/** The lowest possible identifier of this long ago, by the clock that identifiers are created with. */
export function firstIdAgo(kind: IdKind, agoMs: number): string {
  return firstIdAt(kind, Date.now() - agoMs);
}

/**
 * An identifier that several processes must derive identically: a time, and 74 bits of the SHA-256 of the content, as a
 * UUIDv8 (RFC 9562 §5.8). It sorts by the time.
 */
export function derivedId(kind: IdKind, ms: number, content: string): string {
  const bytes = createHash('sha256').update(content).digest().subarray(0, 16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return encode(kind, bytes);
}

/** The pattern that an identifier of this kind matches, for schemas. */
export function idPattern(kind: IdKind): string {
  return `^${ID_PREFIXES[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;
}

/** 48 bits: three bits, and nine times five. */
const TIME_CHARACTERS = 10;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const POOL_BYTES = 8192;
const pool = Buffer.alloc(POOL_BYTES);
const uuid = Buffer.alloc(16);
let poolOffset = POOL_BYTES;
let lastMs = 0;
let sequence = 0;

/** A UUIDv7 whose rand_a counts up within a millisecond (RFC 9562 §6.2, method 1). The buffer is reused. */
function nextUuid(): Buffer {
  if (poolOffset + 10 > POOL_BYTES) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  pool.copy(uuid, 6, poolOffset, poolOffset + 10);
  poolOffset += 10;
  advanceTime();
  uuid.writeUIntBE(lastMs, 0, 6);
  uuid[6] = 0x70 | (sequence >>> 8);
  uuid[7] = sequence & 0xff;
  uuid[8] = 0x80 | ((uuid[8] ?? 0) & 0x3f);
  return uuid;
}

/**
 * Starts each millisecond at a random low count; after 4,095 IDs in one millisecond, the time runs ahead of the clock.
 */
function advanceTime(): void {
  const nowMs = Date.now();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = (uuid[6] ?? 0) & 0x7f;
  } else if (++sequence > 0xfff) {
    lastMs += 1;
    sequence = 0;
  }
}

/**
 * The prefix, an underscore, and 128 bits as 26 characters of five bits each; the first has only three. It is
 * written into a buffer: a string built one character at a time takes ten times the memory.
 */
function encode(kind: IdKind, bytes: Buffer): string {
  let end = text.write(`${ID_PREFIXES[kind]}_`, 'latin1');
  let bits = 2;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text[end++] = CHARACTERS[(value >>> bits) & 31] ?? 0;
    }
    value &= (1 << bits) - 1;
  }
  return text.toString('latin1', 0, end);
}

const CHARACTERS = Buffer.from(ALPHABET, 'latin1');
const text = Buffer.alloc(64);
