/** The header with a webhook's signature. */
export const SIGNATURE_HEADER = 'X-Service-Signature';

/** The signed content: the text or bytes of a request's body, as sent. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/**
 * Signs a body like the service, for tests of receivers: returns the value of `X-Service-Signature`, for a time in Unix
 * seconds (by default, now). Several secrets sign as during a rotation.
 */
export async function signWebhook(
  body: RawBody,
  secret: string | readonly string[],
  timestampSeconds: number = Math.floor(Date.now() / 1000),
): Promise<string> {
  const signed = signedBytes(timestampSeconds, body);
  const signatures = await Promise.all(
    requireSecrets(secret).map(async (each) => {
      const signature = await crypto.subtle.sign('HMAC', await importKey(each, 'sign'), signed);
      return `v1=${toHex(new Uint8Array(signature))}`;
    }),
  );
  return [`t=${timestampSeconds}`, ...signatures].join(',');
}

/** The timestamp, a dot, and the body's raw bytes. */
export function signedBytes(timestampSeconds: number, body: RawBody): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(`${timestampSeconds}.`);
  const rest = toBytes(body);
  const all = new Uint8Array(start.length + rest.length);
  all.set(start);
  all.set(rest, start.length);
  return all;
}

/**
 * Derived from its constructor: published types that name Node.js's own class would require the types of Node.js in a
 * browser.
 */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The key of a secret: its characters unchanged, including the prefix. */
export function importKey(secret: string, use: 'sign' | 'verify'): Promise<Key> {
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    use,
  ]);
}

/** The secrets as a list. Throws a TypeError if one is missing: anyone could sign with an empty key. */
export function requireSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every(isSecret)) {
    throw new TypeError(
      "The webhook's secret is missing. Pass the secret that starts with whsec_, or a list of secrets.",
    );
  }
  return secrets;
}

function isSecret(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** The bytes of a body; a text's in UTF-8. */
export function toBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') {
    return new TextEncoder().encode(body);
  }
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
