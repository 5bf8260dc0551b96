import type { IncomingMessage, ServerResponse } from 'node:http';
import { isoTime } from '../clock/index.ts';
import { newId } from '../ids/index.ts';
import { type ApiError, httpError } from './errors.ts';
import { type Decision, resetAtSeconds, retryAfterSeconds, setRateLimitHeaders } from './rate-limit/index.ts';
import type { ResourceStanding } from './resource-memory.ts';

/** Counts a request when its resource is known. Both throw if it exceeds a limit. */
export interface LateCount {
  conclude(standing: ResourceStanding): Promise<void> | undefined;
  concludeFailure(failure: ApiError): Promise<void>;
}

import type { StreamedAnswer } from './streamed-answer.ts';
import { writeBody, writeParts } from './write-body.ts';

/** One request and its answer, from arrival to the last byte. */
export class Exchange {
  readonly requestId = newId('request');
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly arrivedAtMs: number;
  readonly clientAddress: string;
  /** The decision of the rate limiter; set before any response. */
  decision: Decision | undefined;
  /** The caller, when known, and the code of the error sent. Both for the log. */
  principal: { userId: string; organizationId: string } | undefined;
  errorCode: string | undefined;
  /** Whether its time was up before it was answered. It then begins nothing more. */
  isOverdue = false;
  /** Counts the request if it is counted under its resource. */
  resource: LateCount | undefined;
  /** Headers that tell browsers which sites' scripts may read the response. */
  readonly #corsLines: string[] = [];
  #gone: AbortController | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, arrivedAtMs: number, clientAddress: string) {
    this.request = request;
    this.response = response;
    this.arrivedAtMs = arrivedAtMs;
    this.clientAddress = clientAddress;
  }

  /**
   * Aborts when the client disconnects or has its response. For long work that should not continue without a client.
   */
  whenGone(): AbortSignal {
    if (this.#gone === undefined) {
      const gone = new AbortController();
      this.#gone = gone;
      this.response.once('close', () => gone.abort());
      if (this.request.aborted || this.response.destroyed) {
        gone.abort();
      }
    }
    return this.#gone.signal;
  }

  /** Lets scripts of this origin, or of every origin with `*`, read the response. */
  exposeTo(origin: string): void {
    this.#corsLines.push('access-control-allow-origin', origin, ...EXPOSED_HEADERS);
  }

  /** Which origins may read the response depends on the caller, so caches must not share it. */
  varyByOrigin(): void {
    this.#corsLines.push('vary', 'Origin');
  }

  /** `{data, meta}`, or with `pagination` for a list. 204 has no body. */
  sendData(status: number, data: unknown, pagination?: unknown, headers?: Readonly<Record<string, string>>): void {
    if (status === 204) {
      this.send(status, undefined, '', headers);
      return;
    }
    const page = pagination === undefined ? '' : `,"pagination":${JSON.stringify(pagination)}`;
    this.send(status, JSON_TYPE, `{"data":${JSON.stringify(data)}${page},${this.#meta()}}`, headers);
  }

  /** `{error, meta}`. */
  sendError(error: ApiError): void {
    // Only the first response was sent.
    this.errorCode ??= error.code;
    const details = this.#detailsOf(error);
    const body = { code: error.code, message: error.message, ...(details === undefined ? {} : { details }) };
    const challenge = error.status === 401 ? bearerChallenge(error.code) : undefined;
    this.send(error.status, JSON_TYPE, `{"error":${JSON.stringify(body)},${this.#meta()}}`, {
      ...challenge,
      ...error.headers,
    });
  }

  /** Sends any response, with the headers that every response has. */
  send(
    status: number,
    contentType: string | undefined,
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    const lines =
      contentType === undefined ? [] : ['content-type', contentType, 'content-length', String(Buffer.byteLength(body))];
    if (this.#sendHead(status, lines, headers)) {
      writeBody(this.response, this.request.method === 'HEAD' ? '' : body);
    }
  }

  /** Sends a response of any size. If its first part throws, nothing is sent. */
  async sendStream(status: number, answer: StreamedAnswer): Promise<void> {
    const parts = await answer.begin();
    const isSent = this.#sendHead(status, ['content-type', answer.contentType], answer.headers);
    if (isSent && this.request.method !== 'HEAD') {
      await writeParts(this.response, parts);
    } else {
      await parts.return(undefined);
      this.response.end();
    }
  }

  /** Returns whether the client is still connected to read a body. */
  #sendHead(status: number, about: readonly string[], headers: Readonly<Record<string, string>>): boolean {
    const lines = ['x-request-id', this.requestId, ...SECURITY_HEADERS, ...this.#corsLines];
    if (this.decision !== undefined) {
      setRateLimitHeaders(this.decision, (name, value) => lines.push(name, value));
    }
    lines.push(...about);
    if (headers['cache-control'] === undefined) {
      lines.push('cache-control', 'no-store');
    }
    for (const name in headers) {
      // HTTP/2 has no connection header (RFC 9113 §8.2.2).
      if (name !== 'connection' || this.request.httpVersionMajor === 1) {
        lines.push(name, headers[name] ?? '');
      }
    }
    if (this.response.headersSent || this.response.destroyed) {
      return false;
    }
    this.response.writeHead(status, lines);
    return true;
  }

  /** Sets the common headers on the raw response, for a library that writes the rest itself. */
  prepareResponse(): void {
    this.response.setHeader('x-request-id', this.requestId);
    for (let place = 0; place < SECURITY_HEADERS.length; place += 2) {
      this.response.setHeader(SECURITY_HEADERS[place] ?? '', SECURITY_HEADERS[place + 1] ?? '');
    }
    if (this.decision !== undefined) {
      setRateLimitHeaders(this.decision, (name, value) => this.response.setHeader(name, value));
    }
    this.response.setHeader('cache-control', 'no-store');
  }

  #meta(): string {
    return `"meta":{"request_id":"${this.requestId}","timestamp":"${isoTime(Date.now())}"}`;
  }

  /** A refusal by the rate limiter names the same window as the headers. */
  #detailsOf(error: ApiError): Readonly<Record<string, unknown>> | undefined {
    if (error.code !== 'rate_limit_exceeded' || this.decision === undefined || error.details !== undefined) {
      return error.details;
    }
    return {
      limit: this.decision.binding.limit,
      reset_at: isoTime(resetAtSeconds(this.decision) * 1000),
      retry_after: retryAfterSeconds(this.decision),
    };
  }
}

/** Refused by the limiter; the details follow from the decision. */
export function rateLimited(): ApiError {
  return httpError('rate_limit_exceeded', 'Too many requests. Wait for the time in Retry-After.');
}

/** The headers of every response that keep browsers from using plain HTTP or guessing a content type. */
export const SECURITY_HEADERS: readonly string[] = [
  'strict-transport-security',
  'max-age=31536000',
  'x-content-type-options',
  'nosniff',
];

/** The headers that scripts of other origins may read. */
const EXPOSED_HEADERS: readonly string[] = [
  'access-control-expose-headers',
  [
    // The seat keeper reads the service's time from it.
    'Date',
    'X-Request-Id',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'RateLimit-Policy',
    'RateLimit',
    'Retry-After',
    'Idempotency-Replayed',
    'WWW-Authenticate',
    'ETag',
    'Allow',
  ].join(', '),
];

const JSON_TYPE = 'application/json; charset=utf-8';

/** RFC 6750 §3. */
function bearerChallenge(code: string): Record<string, string> {
  const isAboutToken = code === 'invalid_token' || code === 'token_expired';
  return {
    'www-authenticate': isAboutToken ? 'Bearer realm="seathold", error="invalid_token"' : 'Bearer realm="seathold"',
  };
}
