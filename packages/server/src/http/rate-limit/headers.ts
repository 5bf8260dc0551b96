import type { Decision, WindowLimit } from './windows.ts';

/**
 * Sets the headers of a decision: the `X-RateLimit-*` of the binding window, the pair of
 * draft-ietf-httpapi-ratelimit-headers-11 naming all windows, and, only if refused, `Retry-After`.
 */
export function setRateLimitHeaders(decision: Decision, setHeader: (name: string, value: string) => void): void {
  const { binding } = decision;
  setHeader('X-RateLimit-Limit', String(binding.limit));
  setHeader('X-RateLimit-Remaining', String(binding.remaining));
  setHeader('X-RateLimit-Reset', String(resetAtSeconds(decision)));
  setHeader('RateLimit-Policy', policyOf(decision));
  setHeader('RateLimit', standingOf(decision));
  if (!decision.allowed) {
    setHeader('Retry-After', String(retryAfterSeconds(decision)));
  }
}

/** The Unix time in seconds from which a request is allowed. Rounded up: a moment too early would be refused. */
export function resetAtSeconds(decision: Decision): number {
  return Math.ceil(decision.binding.resetAtMs / 1000);
}

/** The whole seconds after which a request is allowed, at least 1, by the clock that made the decision. */
export function retryAfterSeconds(decision: Decision): number {
  return secondsUntil(decision.binding.resetAtMs, decision.decidedAtMs);
}

/** The policy text never changes for a list of windows, and the policies always return the same lists. */
const policyTexts = new WeakMap<readonly WindowLimit[], string>();

function policyOf(decision: Decision): string {
  let text = '';
  for (const { windows } of decision.subjects) {
    text += text === '' ? policyText(windows) : `, ${policyText(windows)}`;
  }
  return text;
}

function policyText(windows: readonly WindowLimit[]): string {
  let text = policyTexts.get(windows);
  if (text === undefined) {
    text = windows.map(({ name, limit, seconds }) => `"${name}";q=${limit};w=${seconds}`).join(', ');
    policyTexts.set(windows, text);
  }
  return text;
}

function standingOf(decision: Decision): string {
  let text = '';
  for (const { name, remaining, resetAtMs } of decision.windows) {
    const separator = text === '' ? '' : ', ';
    text += `${separator}"${name}";r=${remaining};t=${secondsUntil(resetAtMs, decision.decidedAtMs)}`;
  }
  return text;
}

function secondsUntil(resetAtMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000));
}
