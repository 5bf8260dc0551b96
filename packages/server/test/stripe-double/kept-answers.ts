import { StripeFault } from './stripe-fault.ts';

/** A response from Stripe: status and body. */
export interface StripeAnswer {
  status: number;
  body: string;
  isReplay?: boolean;
}

/** Stripe forgets a key when it is a day old. */
const DAY_MS = 86_400_000;

/** Stripe's idempotency: the first response for a key is stored and replayed, failures included. */
export class KeptAnswers {
  readonly #kept = new Map<string, { request: string; answer: StripeAnswer | undefined; atMs: number }>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * The response stored for the key, or undefined if the request must be executed. Then `keep` or `release` follows.
   */
  begin(key: string, request: string): StripeAnswer | undefined {
    const known = this.#kept.get(key);
    const nowMs = this.#nowMs();
    if (known === undefined || known.atMs + DAY_MS <= nowMs) {
      this.#kept.set(key, { request, answer: undefined, atMs: nowMs });
      return undefined;
    }
    if (known.request !== request) {
      throw new StripeFault(
        400,
        {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        },
        false,
      );
    }
    if (known.answer === undefined) {
      throw inUse(key);
    }
    return { ...known.answer, isReplay: true };
  }

  keep(key: string, answer: StripeAnswer): void {
    const known = this.#kept.get(key);
    if (known !== undefined) {
      known.answer = answer;
    }
  }

  release(key: string): void {
    this.#kept.delete(key);
  }

  /** A day later. */
  forgetAll(): void {
    this.#kept.clear();
  }
}

export function inUse(key: string): StripeFault {
  return new StripeFault(
    409,
    {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key (${key}).`,
    },
    false,
  );
}
