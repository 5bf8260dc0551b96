import { Agent, request } from 'undici';

/** The outcome of a request. */
export type Outcome =
  | {
      kind: 'answer';
      status: number;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing.
      body: any;
      sentAt: number;
      receivedAt: number;
    }
  /** The connection was refused, so nobody saw the request. */
  | { kind: 'unsent'; reason: string; sentAt: number; receivedAt: number }
  /** The connection broke: nobody knows whether it took effect. */
  | { kind: 'unknown'; reason: string; sentAt: number; receivedAt: number };

/** The caller: a token, and the organization if the token has more than one. */
export interface Caller {
  token?: string | undefined;
  organizationId?: string | undefined;
  /** Asks for the session in a cookie, like browsers. */
  takesCookie?: boolean;
}

/**
 * An HTTPS client with persistent connections that trusts the given authorities and distinguishes kinds of failures.
 */
export class HttpsClient {
  readonly #agent: Agent;

  constructor(authorities: readonly string[]) {
    this.#agent = new Agent({
      connect: { ca: [...authorities], servername: 'localhost', timeout: 30_000 },
      connections: 64,
      // One call per connection at a time, so that a broken connection leaves only one outcome unknown.
      allowH2: false,
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    });
  }

  async call(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    caller: Caller = {},
    body?: unknown,
  ): Promise<Outcome> {
    const sentAt = performance.now();
    try {
      const response = await request(url, {
        dispatcher: this.#agent,
        method,
        headers: {
          ...(caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` }),
          ...(caller.organizationId === undefined ? {} : { 'x-organization-id': caller.organizationId }),
          ...(caller.takesCookie === true ? { 'x-session-transport': 'cookie' } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.body.text();
      const parsed = text.startsWith('{') ? JSON.parse(text) : text;
      const { statusCode: status, headers } = response;
      return { kind: 'answer', status, headers, body: parsed, sentAt, receivedAt: performance.now() };
    } catch (error) {
      const receivedAt = performance.now();
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const kind = code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT' ? 'unsent' : 'unknown';
      return { kind, reason: `${code} ${String(error)}`, sentAt, receivedAt };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Only ever ends a hang. */
const PATIENCE_MS = 120_000;
