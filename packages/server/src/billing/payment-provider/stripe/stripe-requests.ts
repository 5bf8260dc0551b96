import type Stripe from 'stripe';
import type { Logger } from '../../../log/index.ts';
import { type LoadedStripe, loadStripe, type StripeSettings } from './load-stripe.ts';

/** The outcome of a request to Stripe. Only an unambiguous response from Stripe itself is an answer or a refusal. */
export type StripeAnswer<T> =
  /** `isReplay`: the response stored for the key, which may be out of date. */
  | { kind: 'answered'; value: T; isReplay: boolean }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'unknown'; reason: string };

/** Stripe understood the request and refused it; it changed nothing except what the refusal reports. */
export interface Refusal {
  isCardError: boolean;
  /** Empty if Stripe gives none. */
  code: string;
  /** The invalid parameter; empty if there is none. */
  param: string;
  declineCode: string;
  /** The card networks forbid another attempt with this card. */
  isForGood: boolean;
}

/** The log for requests without a usable response. */
export type StripeLog = Pick<Logger, 'warn'>;

/**
 * Sends requests to Stripe. It never throws, and reasons and log lines never contain text from Stripe or the customer.
 */
export class StripeRequests {
  readonly #settings: StripeSettings;
  readonly #log: StripeLog | undefined;
  #loaded: Promise<LoadedStripe> | undefined;

  constructor(settings: StripeSettings, log: StripeLog | undefined) {
    this.#settings = settings;
    this.#log = log;
  }

  /** The SDK, loaded once. */
  load(): Promise<LoadedStripe> {
    this.#loaded ??= loadStripe(this.#settings).catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  /** Sends a request. `object`: the required type of Stripe's response. */
  async send<T extends { id: string; object: string }>(
    object: T['object'],
    request: (client: Stripe) => Promise<Stripe.Response<T>>,
  ): Promise<StripeAnswer<T>> {
    const { answer } = await this.#send(object, request);
    return answer;
  }

  /** Requests a page of a list. */
  async sendList<T extends { id: string; object: string }>(
    request: (client: Stripe) => Promise<Stripe.Response<Stripe.ApiList<T>>>,
  ): Promise<StripeAnswer<Stripe.ApiList<T>>> {
    const outcome = await this.#request(request);
    if (outcome.kind === 'failed') {
      return outcome.answer;
    }
    const { value } = outcome;
    return value.object === 'list' && Array.isArray(value.data)
      ? { kind: 'answered', value, isReplay: false }
      : this.#unknown('a response that is not a list');
  }

  /**
   * Sends a request under an idempotency key, so that repetitions take effect once. Stripe also stores its own failures
   * under the key for a day and keeps returning them; the next key of a fixed sequence is then used. The sequence never
   * changes, so the same request ends at the same key.
   */
  async sendOnce<T extends { id: string; object: string }>(
    object: T['object'],
    key: string,
    request: (client: Stripe, options: Stripe.RequestOptions) => Promise<Stripe.Response<T>>,
  ): Promise<StripeAnswer<T>> {
    for (const idempotencyKey of [key, `${key}-2`, `${key}-3`]) {
      const { answer, isKeptFailure } = await this.#send(object, (client) => request(client, { idempotencyKey }));
      if (!isKeptFailure) {
        return answer;
      }
    }
    return { kind: 'unknown', reason: 'stripe keeps repeating an earlier failure' };
  }

  async #send<T extends { id: string; object: string }>(
    object: T['object'],
    request: (client: Stripe) => Promise<Stripe.Response<T>>,
  ): Promise<{ answer: StripeAnswer<T>; isKeptFailure: boolean }> {
    const outcome = await this.#request(request);
    if (outcome.kind === 'failed') {
      return outcome;
    }
    const { value } = outcome;
    const status = value.lastResponse?.statusCode ?? 0;
    if (status < 200 || status > 299 || value.object !== object || typeof value.id !== 'string' || value.id === '') {
      return { answer: this.#unknown(`a response that is not a ${object}, status ${status}`), isKeptFailure: false };
    }
    return {
      answer: { kind: 'answered', value, isReplay: isReplayed(value.lastResponse.headers) },
      isKeptFailure: false,
    };
  }

  async #request<T>(request: (client: Stripe) => Promise<T>) {
    const loaded = await this.load().catch(() => undefined);
    if (loaded === undefined) {
      return { kind: 'failed' as const, answer: this.#unknown('its SDK cannot be loaded'), isKeptFailure: false };
    }
    try {
      const value = await withinTime(request(loaded.client), this.#settings.timeoutMs * 2);
      return { kind: 'came' as const, value };
    } catch (error) {
      const isFromStripe = loaded.isStripeError(error);
      const refusal = isFromStripe ? refusalOf(error) : undefined;
      if (refusal !== undefined) {
        return { kind: 'failed' as const, answer: { kind: 'refused' as const, refusal }, isKeptFailure: false };
      }
      const answer = this.#unknown(isFromStripe ? describe(error) : 'no answer');
      const isKeptFailure = isFromStripe && (error.statusCode ?? 0) >= 500 && isReplayed(error.headers);
      return { kind: 'failed' as const, answer, isKeptFailure };
    }
  }

  #unknown(what: string): { kind: 'unknown'; reason: string } {
    this.#log?.warn({ provider: 'stripe', answer: what }, 'the payment provider gave no usable answer');
    return { kind: 'unknown', reason: `stripe: ${what}` };
  }
}

/** A 409, a 429 or an unknown format says nothing about the request, which can be repeated later. */
function refusalOf(error: InstanceType<typeof Stripe.errors.StripeError>): Refusal | undefined {
  const { statusCode, rawType, code, param, decline_code: declineCode } = error;
  const isCardError = statusCode === 402 && rawType === 'card_error';
  const isInvalid = (statusCode === 400 || statusCode === 404) && rawType === 'invalid_request_error';
  if (!(isCardError || isInvalid) || TRANSIENT_CODES.has(code ?? '')) {
    return undefined;
  }
  const isForGood = error.advice_code === 'do_not_try_again';
  return { isCardError, code: word(code), param: word(param), declineCode: word(declineCode), isForGood };
}

const TRANSIENT_CODES: ReadonlySet<string> = new Set(['rate_limit', 'lock_timeout', 'idempotency_key_in_use']);

function describe(error: InstanceType<typeof Stripe.errors.StripeError>): string {
  return [error.type, error.statusCode, word(error.rawType), word(error.code), word(error.requestId)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}

/** The format of Stripe's IDs; an intermediate proxy may have written anything else. */
function word(text: unknown): string {
  return typeof text === 'string' && /^[\w.[\]-]{1,100}$/.test(text) ? text : '';
}

function isReplayed(headers: Readonly<Record<string, unknown>> | undefined): boolean {
  return headers?.['idempotent-replayed'] === 'true';
}

/**
 * The SDK's own timeout begins when the connection is established, and restarts with each byte, so it does not bound
 * the request.
 */
async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
