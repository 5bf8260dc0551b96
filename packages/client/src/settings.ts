import { InvalidRequestError } from './errors.ts';

/** The options of a client. */
export interface SeatholdOptions {
  /**
   * An API token, or a session's or an OAuth app's access token. A function is called before each call, so that it can
   * return a fresh one. Without a token, only operations that need none can be called.
   */
  token?: string | (() => string | Promise<string>) | undefined;
  /** The URL of the service; https only. By default, a service on this machine. */
  baseUrl?: string | undefined;
  /** Replaces the global `fetch`, for example with one that trusts your own CA. */
  fetch?: Fetch | undefined;
  /** Milliseconds that one attempt may take, including its response body. 30,000 by default. */
  timeoutMs?: number | undefined;
  /** Attempts after the first. 2 by default. */
  maxRetries?: number | undefined;
  /** The organization that every call acts in, for a session token of a user with several. */
  organizationId?: string | undefined;
}

/** The part of `fetch` that the client uses, so that every implementation is compatible. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** The options passed to `fetch`. */
export interface FetchRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: 'manual';
  signal: AbortSignal;
  /** The request may outlive the page that sends it. */
  keepalive?: true;
}

/** The response of `fetch`. */
export interface FetchResponse {
  readonly status: number;
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The validated options, with defaults. */
export interface Settings {
  readonly baseUrl: string;
  readonly token: () => string | undefined | Promise<string | undefined>;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly organizationId: string | undefined;
}

const DEFAULT_BASE_URL = 'https://localhost:8443';
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 2;

/** Checks the options; throws an InvalidRequestError that names the invalid one, and never shows the token. */
export function readSettings(options: SeatholdOptions): Settings {
  const { token } = options;
  if (token !== undefined && typeof token !== 'function') {
    requireHeaderText('token', token);
  }
  if (options.organizationId !== undefined) {
    requireHeaderText('organizationId', options.organizationId);
  }
  return {
    baseUrl: readBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL),
    token: typeof token === 'function' ? token : () => token,
    // The global fetch is looked up at each request and called without a receiver, because browsers refuse it on
    // another object.
    fetch: options.fetch ?? ((url, request) => fetch(url, request)),
    timeoutMs: requireNumber('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1),
    maxRetries: requireNumber('maxRetries', options.maxRetries ?? DEFAULT_MAX_RETRIES, 0),
    organizationId: options.organizationId,
  };
}

/**
 * Refuses values that cannot be in a header, without showing them: `fetch` would quote them, and they may be tokens.
 */
export function requireHeaderText(name: string, value: unknown, maxLength = 4096): string {
  if (typeof value !== 'string' || value.length > maxLength || !/^[\x21-\x7e]+$/.test(value)) {
    throw wrong(`${name} must be 1 to ${maxLength} printable ASCII characters without spaces`);
  }
  return value;
}

/** Refuses anything but a whole number of at least `least`. */
export function requireNumber(name: string, value: number, least: number): number {
  if (!Number.isInteger(value) || value < least || value > MAX_NUMBER) {
    throw wrong(`${name} must be a whole number from ${least} to ${MAX_NUMBER}`);
  }
  return value;
}

/** Timers have 31 bits; a longer time would end immediately. */
const MAX_NUMBER = 2 ** 31 - 1;

function readBaseUrl(text: string): string {
  if (!URL.canParse(text)) {
    throw wrong('baseUrl must be an absolute URL such as https://seathold.example.com');
  }
  const url = new URL(text);
  if (url.protocol !== 'https:') {
    throw wrong('baseUrl must begin with https://, for a token must not travel in the clear');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw wrong('baseUrl must have neither credentials nor a query nor a fragment');
  }
  return url.href.replace(/\/+$/, '');
}

function wrong(message: string): InvalidRequestError {
  return new InvalidRequestError({ code: 'invalid_argument', message });
}
