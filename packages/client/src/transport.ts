import { createRequest, type PreparedRequest } from './create-request.ts';
import { describeFailure, wasNotSent } from './describe-failure.ts';
import { ConnectionError, SeatholdError, TimeoutError, UnexpectedAnswerError } from './errors.ts';
import type { CallOptions, Input, OperationRow } from './operation-types.ts';
import type { Pagination } from './pages.ts';
import { type RawResponse, readAnswer } from './read-answer.ts';
import { retryDelayMs } from './retry-policy.ts';
import { requireNumber, type Settings } from './settings.ts';

/** Waits between attempts, and provides jitter. */
export interface Timing {
  /** Resolves after the time, or rejects with the signal's reason. */
  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** At least 0, less than 1. */
  random(): number;
}

/** The machine's clock and random numbers. */
export const REAL_TIMING: Timing = { pause, random: Math.random };

/** Sends requests, each until it is answered or should not be retried. */
export class Transport {
  readonly #settings: Settings;
  readonly #timing: Timing;

  constructor(settings: Settings, timing: Timing) {
    this.#settings = settings;
    this.#timing = timing;
  }

  /** Sends one call with its retries. Rejects with a SeatholdError, or with the reason of the call's signal. */
  async send(row: OperationRow, input: Input, options: CallOptions): Promise<RawResponse> {
    const timeoutMs = requireNumber('timeoutMs', options.timeoutMs ?? this.#settings.timeoutMs, 1);
    const maxRetries = requireNumber('maxRetries', options.maxRetries ?? this.#settings.maxRetries, 0);
    const request = await createRequest(this.#settings, row, input, options);
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(row, request, timeoutMs, options.signal);
      if (!(outcome instanceof SeatholdError)) {
        return outcome;
      }
      const delayMs = attempt < maxRetries ? retryDelayMs(outcome, request, attempt, this.#timing.random()) : undefined;
      if (delayMs === undefined) {
        throw outcome;
      }
      await this.#timing.pause(delayMs, options.signal);
    }
  }

  /** The same for a list: one page of it. */
  async sendForPage(
    row: OperationRow,
    input: Input,
    options: CallOptions,
  ): Promise<{ data: unknown[]; pagination: Pagination; requestId: string | undefined }> {
    const { data, pagination, requestId, status } = await this.send(row, input, options);
    if (!Array.isArray(data) || pagination === undefined) {
      throw unexpected('The response is not a page of a list.', status, requestId);
    }
    if (pagination.has_more && pagination.next_cursor === input.query?.cursor) {
      // Otherwise, a loop over the list would never end.
      throw unexpected("The page's next_cursor is its own cursor.", status, requestId);
    }
    return { data, pagination, requestId };
  }

  async #attempt(
    row: OperationRow,
    { url, method, headers, body, secrets }: PreparedRequest,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<RawResponse | SeatholdError> {
    const limit = new TimeLimit(timeoutMs, signal);
    try {
      const response = await this.#settings.fetch(url, {
        method,
        headers,
        // A redirect could send the token to another server.
        redirect: 'manual',
        signal: limit.signal,
        ...(body === undefined ? {} : { body }),
      });
      return await readAnswer(row, response, secrets);
    } catch (failure) {
      if (failure instanceof SeatholdError) {
        return failure;
      }
      signal?.throwIfAborted();
      if (limit.isOver) {
        return new TimeoutError({ code: 'timed_out', message: `No response within ${timeoutMs} ms.`, wasSent: true });
      }
      const message = `The request got no answer: ${describeFailure(failure, secrets)}`;
      return new ConnectionError({ code: 'connection_failed', message, wasSent: !wasNotSent(failure) });
    } finally {
      limit.end();
    }
  }
}

/** Ends an attempt when it times out or its caller aborts it, and leaves no listener behind. */
class TimeLimit {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;
  isOver = false;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    caller?.throwIfAborted();
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#controller.abort();
    }, timeoutMs);
    caller?.addEventListener('abort', this.#pass);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#pass);
  }

  readonly #pass = (): void => this.#controller.abort(this.#caller?.reason);
}

function unexpected(message: string, status: number, requestId: string | undefined): UnexpectedAnswerError {
  return new UnexpectedAnswerError({ code: 'unexpected_answer', message, status, requestId });
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) {
      stop();
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}
