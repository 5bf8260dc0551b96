/**
 * The reason of a failed `fetch`, in one line. Only uses text, not objects, because implementations may attach the
 * request with its headers to errors.
 */
export function describeFailure(failure: unknown, secrets: readonly string[]): string {
  const messages = chainOf(failure).flatMap(({ code, message }) => [message, code]);
  const texts = new Set(messages.filter((text) => typeof text === 'string' && text !== ''));
  return redact([...texts].join(': '), secrets) || 'unknown failure';
}

/** Whether there was no connection to send anything over, so the service cannot have done anything. */
export function wasNotSent(failure: unknown): boolean {
  return chainOf(failure).some(({ code }) => typeof code === 'string' && BEFORE_SENDING.has(code));
}

/** The text with every secret redacted. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}

/** The first are from Node.js, the fourth from its `fetch`, the last from Bun. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

const MAX_CAUSES = 5;

/** An error and its chain of causes. */
function chainOf(failure: unknown): Array<{ code?: unknown; message?: unknown }> {
  const chain: Array<{ code?: unknown; message?: unknown }> = [];
  for (let each = failure; isObject(each) && chain.length < MAX_CAUSES; each = each.cause) {
    chain.push(each);
  }
  return chain;
}

function isObject(value: unknown): value is { code?: unknown; message?: unknown; cause?: unknown } {
  return typeof value === 'object' && value !== null;
}
