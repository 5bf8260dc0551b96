import { WebhookVerificationError } from './webhook-verification-error.ts';

/** The content of the signature header. */
export interface ParsedSignature {
  /** Unix seconds. */
  timestamp: number;
  /** The v1 signatures in the service's format. */
  signatures: ReadonlyArray<Uint8Array<ArrayBuffer>>;
}

/** The service sends one per live secret, never more than a few; each costs a hash of the whole body. */
const MAX_SIGNATURES = 10;

/**
 * Reads `t=…,v1=…`. The order does not matter, there may be several v1, and other entries are ignored. Throws unless
 * there is exactly one timestamp and at least one v1. A v1 that is not 64 lowercase hexadecimal digits never matches.
 */
export function parseSignature(header: string): ParsedSignature {
  const entries = header.split(',').map((entry) => {
    const [name = '', ...value] = entry.trim().split('=');
    return { name, value: value.join('=') };
  });
  const [timestamp, ...more] = entries.filter(({ name }) => name === 't');
  const signatures = entries.filter(({ name }) => name === 'v1');
  if (timestamp === undefined || more.length > 0 || !/^(?:0|[1-9]\d{0,11})$/.test(timestamp.value)) {
    throw new WebhookVerificationError('malformed_header');
  }
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES) {
    throw new WebhookVerificationError('malformed_header');
  }
  return {
    timestamp: Number(timestamp.value),
    signatures: signatures
      .map(({ value }) => value)
      .filter((value) => /^[0-9a-f]{64}$/.test(value))
      .map(fromHex),
  };
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16));
}
