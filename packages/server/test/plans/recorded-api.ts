import type { Route } from '../../src/http/index.ts';
import type { ApiAnswer, CallOptions } from '../harness/api-client.ts';
import type { TestApp } from '../harness/index.ts';
import type { StatementRecorder } from './record-statements.ts';

/** Sends requests and records their statements. Knows which routes have answered. */
export class RecordedApi {
  readonly #test: TestApp;
  readonly #recorder: StatementRecorder;
  readonly #answered = new Set<string>();

  constructor(test: TestApp, recorder: StatementRecorder) {
    this.#test = test;
    this.#recorder = recorder;
  }

  /** Sends a request. Throws unless it succeeds: a request that is refused early sends only some of its statements. */
  call(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    return this.callOf(this.#test, method, path, options);
  }

  /** The same, to another app on the same database. */
  async callOf(test: TestApp, method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const answer = await this.during(`${method} ${path}`, () => test.api.call(method, path, options));
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    this.#answered.add(`${method} ${path.replace(/\?.*/, '')}`);
    return answer;
  }

  get(path: string, token: string): Promise<ApiAnswer> {
    return this.call('GET', path, { token });
  }

  /** Sends a body; returns the data. */
  async post(path: string, token: string | undefined, body?: unknown, headers: Record<string, string> = {}) {
    return (await this.call('POST', path, { token, body, headers })).body.data;
  }

  /** The same for requests outside the API: a program's form or a browser's page. */
  async expect<Answer extends { status: number }>(cause: string, send: () => Promise<Answer>): Promise<Answer> {
    const answer = await this.during(cause, send);
    if (answer.status !== 200) {
      throw new Error(`${cause} was answered ${answer.status}`);
    }
    return answer;
  }

  /** Records the statements of anything else: requests that are refused, or end elsewhere. */
  during<T>(cause: string, work: () => Promise<T>): Promise<T> {
    return this.#recorder.during(cause, work);
  }

  /** The routes that have not answered yet. */
  unanswered(): string[] {
    return this.#test.service.routes.filter((route) => !this.#hasAnswered(route)).map(nameOf);
  }

  #hasAnswered(route: Route): boolean {
    const pattern = new RegExp(
      `^${nameOf(route)
        .replaceAll('.', '\\.')
        .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
    );
    return [...this.#answered].some((request) => pattern.test(request));
  }
}

const nameOf = (route: Route) => `${route.method} ${route.path}`;
