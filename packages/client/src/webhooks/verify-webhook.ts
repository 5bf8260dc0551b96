import type { EventObjects } from '../generated/event-objects.ts';
import { parseSignature } from './parse-signature.ts';
import { readHeader, type WebhookHeaders } from './read-header.ts';
import { importKey, type RawBody, requireSecrets, SIGNATURE_HEADER, signedBytes, toBytes } from './signature.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

/** The types of event that this client knows. */
export type WebhookEventType = keyof EventObjects;

/** An event of one type, as sent in a webhook. */
export interface WebhookEventOf<Type extends WebhookEventType> {
  /** Unique; the same event may be delivered more than once. */
  id: string;
  type: Type;
  /** ISO 8601, UTC. */
  created: string;
  data: { object: EventObjects[Type] };
  organization_id: string;
}

/** An event: `type` determines the shape of `data.object`. A newer service may send types that are not among these. */
export type WebhookEvent = { [Type in WebhookEventType]: WebhookEventOf<Type> }[WebhookEventType];

/** The options of a verification. */
export interface VerifyOptions {
  /** Seconds that the signature's time may be before or after now. 300 by default. */
  toleranceSeconds?: number | undefined;
  /** The current time, by default the machine's. */
  now?: Date | undefined;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Verifies that a request came from the service, recently and unchanged, and returns its event. `rawBody` is the
 * received body, before any parsing. With several secrets, one match is enough. Rejects with a WebhookVerificationError
 * that gives the reason, or with a TypeError if a secret or an option is missing or invalid, which is a mistake of the
 * receiver.
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets = requireSecrets(secret);
  const toleranceSeconds = readTolerance(options.toleranceSeconds);
  const nowSeconds = readNow(options.now);
  requireRawBody(rawBody);
  const { timestamp, signatures } = parseSignature(requireSignature(headers));
  if (!(await isSigned(signedBytes(timestamp, rawBody), signatures, secrets))) {
    throw new WebhookVerificationError('no_matching_signature');
  }
  if (Math.abs(nowSeconds - timestamp) > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_out_of_tolerance');
  }
  return parseEvent(rawBody);
}

/** Web Crypto compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: ReadonlyArray<Uint8Array<ArrayBuffer>>,
  secrets: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    const key = await importKey(secret, 'verify');
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) {
        return true;
      }
    }
  }
  return false;
}

function requireSignature(headers: WebhookHeaders): string {
  const value = readHeader(headers, SIGNATURE_HEADER);
  if (value === undefined) {
    throw new WebhookVerificationError('missing_header');
  }
  return value;
}

function requireRawBody(body: unknown): void {
  if (typeof body !== 'string' && !(body instanceof Uint8Array) && !(body instanceof ArrayBuffer)) {
    throw new WebhookVerificationError('invalid_body', PARSED_BODY);
  }
}

const PARSED_BODY =
  'Pass the raw body as it was received, as a string or bytes. A parsed object cannot be verified, because serializing it again does not give the bytes that were signed.';

function parseEvent(body: RawBody): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(toBytes(body)));
  } catch {
    throw new WebhookVerificationError('invalid_body');
  }
  if (!isEvent(event)) {
    throw new WebhookVerificationError('invalid_body');
  }
  return event;
}

/** Checks the envelope. Its content was signed by the service, and is trusted. */
function isEvent(value: unknown): value is WebhookEvent {
  if (!isObject(value) || !isObject(value.data) || !isObject(value.data.object)) {
    return false;
  }
  return [value.id, value.type, value.created, value.organization_id].every((each) => typeof each === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compared with NaN, every time would be within the tolerance. */
function readTolerance(seconds = DEFAULT_TOLERANCE_SECONDS): number {
  if (!Number.isFinite(seconds) || seconds < 0) {
    throw new TypeError('toleranceSeconds must be a number of seconds, 0 or more');
  }
  return seconds;
}

function readNow(now: Date = new Date()): number {
  const seconds = Math.floor(now.getTime() / 1000);
  if (Number.isNaN(seconds)) {
    throw new TypeError('now must be a valid Date');
  }
  return seconds;
}
