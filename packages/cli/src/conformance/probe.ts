import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailure } from '../command-failure.ts';
import type { Answer } from './answer.ts';
import { LeftOut } from './expectations.ts';
import { HeaderWatch } from './header-watch.ts';
import { parseJson, pick } from './read-json.ts';

/** The parts of a request besides its method and path. */
export interface Sent {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  raw?: string;
  headers?: Readonly<Record<string, string>>;
  /** Instead of the token of the run. */
  token?: string;
}

interface ProbeOptions {
  baseUrl: string;
  token: string | undefined;
  /** Tells the user what the run is waiting for. */
  onWait(message: string): void;
}

/** Sends raw requests to a service, waits as its rate limits require, and removes created resources. */
export class Probe {
  readonly baseUrl: URL;
  /** The missing headers of any response. */
  readonly headerWatch = new HeaderWatch();
  readonly #options: ProbeOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });
  readonly #clearing: Array<() => Promise<void>> = [];

  constructor(options: ProbeOptions) {
    this.#options = options;
    this.baseUrl = new URL(options.baseUrl);
  }

  /** Whether there is a token to check with. */
  get hasToken(): boolean {
    return this.#options.token !== undefined;
  }

  /** Skips the check if the token of the run is that of a login, which may do more. */
  requireNoLogin(): void {
    if (this.#options.token?.startsWith('svc_sat_') === true) {
      throw new LeftOut('needs an API token');
    }
  }

  /** Sends a request without a token. */
  open(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    return this.#send(method, path, sent);
  }

  /**
   * Sends a request with the token of the run. If the token, or its user's role, does not allow it, the check is
   * skipped.
   */
  async call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const answer = await this.ask(method, path, sent);
    const code = answer.status === 403 ? pick(answer.body, 'error.code') : undefined;
    if (code === 'insufficient_scope') {
      throw new LeftOut(`needs scope ${pick(answer.body, 'error.details.required_scope')}`);
    }
    if (code === 'forbidden') {
      throw new LeftOut(`needs role ${pick(answer.body, 'error.details.required_role') ?? 'with more rights'}`);
    }
    return answer;
  }

  /** The same, but a refusal of the token is a regular response. */
  ask(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const { token } = this.#options;
    if (token === undefined) {
      throw new LeftOut('needs a token');
    }
    return this.#send(method, path, { ...sent, token: sent.token ?? token });
  }

  /** Registers a cleanup step to run after the check, passed or not. */
  clear(act: () => Promise<void>): void {
    this.#clearing.push(act);
  }

  /** Registers a resource to delete after the check, unless it is gone by then. */
  deleteLater(path: string): void {
    this.clear(async () => {
      const { status, what } = await this.ask('DELETE', path);
      if (status !== 204 && status !== 404) {
        throw new Error(`${what} answered ${status}: remove it by hand`);
      }
    });
  }

  /** Removes the resources that the check created, newest first. */
  async clearAll(): Promise<void> {
    const faults: unknown[] = [];
    for (let act = this.#clearing.pop(); act !== undefined; act = this.#clearing.pop()) {
      await act().catch((fault: unknown) => faults.push(fault));
    }
    if (faults.length > 0) {
      throw faults[0];
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(method: string, path: string, sent: Sent): Promise<Answer> {
    for (;;) {
      const answer = await this.#sendOnce(method, path, sent);
      this.headerWatch.note(answer);
      if (answer.status !== 429) {
        return answer;
      }
      const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
      if (!(seconds <= LONGEST_WAIT_SECONDS)) {
        throw new LeftOut(`the rate limit of ${answer.what} allows no more requests for now`);
      }
      this.#options.onWait(`Waiting ${seconds} s for the rate limit.`);
      await sleep(seconds * 1000 + 100);
    }
  }

  #sendOnce(method: string, path: string, sent: Sent): Promise<Answer> {
    const body = sent.json === undefined ? sent.raw : JSON.stringify(sent.json);
    const headers = {
      ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
      ...(sent.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...sent.headers,
    };
    const what = `${method} ${path}`;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const options = { method, headers, agent: this.#agent, timeout: TIMEOUT_MS };
    const outgoing = request(new URL(path, this.baseUrl), options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          what,
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
          text,
          body: parseJson(text),
          isAuthenticated: sent.token !== undefined,
        });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 30 seconds')));
    outgoing.on('error', (error) =>
      reject(new CommandFailure('connection_failed', `${what} failed: ${error.message || error.name}`)),
    );
    outgoing.end(body);
    return promise;
  }
}

const TIMEOUT_MS = 30_000;
/** Enough for every window of a minute. */
const LONGEST_WAIT_SECONDS = 65;
