import type { Answer } from './answer.ts';
import { pick } from './read-json.ts';

/** Checks the headers of every response in a run, and keeps the first fault of each kind. */
export class HeaderWatch {
  readonly #faults = new Map<string, string>();
  #answers = 0;

  note(answer: Answer): void {
    this.#answers += 1;
    for (const [rule, isBroken] of RULES) {
      const fault = isBroken(answer);
      if (fault !== undefined && !this.#faults.has(rule)) {
        this.#faults.set(rule, `${answer.what} (status ${answer.status}): ${fault}`);
      }
    }
  }

  /** The number of responses. */
  get answers(): number {
    return this.#answers;
  }

  /** The first response that broke a rule. */
  faultOf(rule: HeaderRule): string | undefined {
    return this.#faults.get(rule);
  }
}

/** The rules for every response. */
export type HeaderRule = 'request_id' | 'rate_limit' | 'security' | 'no_store';

type Rule = readonly [name: HeaderRule, isBroken: (answer: Answer) => string | undefined];

const RULES: readonly Rule[] = [
  [
    'request_id',
    ({ headers, body }) => {
      const id = headers['x-request-id'];
      if (id === undefined || !id.startsWith('req_')) {
        return `X-Request-Id is ${id ?? 'missing'}`;
      }
      const inBody = pick(body, 'meta.request_id');
      return inBody === undefined || inBody === id
        ? undefined
        : `meta.request_id is ${inBody}, but X-Request-Id is ${id}`;
    },
  ],
  [
    'rate_limit',
    ({ headers }) => {
      const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
      const wrong = names.find((name) => !/^\d+$/.test(headers[name] ?? ''));
      if (wrong !== undefined) {
        return `${wrong} is ${headers[wrong] ?? 'missing'}`;
      }
      const [limit = 0, remaining = 0] = names.map((name) => Number(headers[name]));
      return remaining > limit ? `X-RateLimit-Remaining is ${remaining} of ${limit}` : undefined;
    },
  ],
  [
    'security',
    ({ headers }) => {
      const hsts = headers['strict-transport-security'];
      if (hsts === undefined || !/max-age=[1-9]/.test(hsts)) {
        return `Strict-Transport-Security is ${hsts ?? 'missing'}`;
      }
      const sniff = headers['x-content-type-options'];
      return sniff === 'nosniff' ? undefined : `X-Content-Type-Options is ${sniff ?? 'missing'}`;
    },
  ],
  [
    'no_store',
    ({ headers, isAuthenticated }) => {
      const cache = headers['cache-control'] ?? 'missing';
      return isAuthenticated && !cache.includes('no-store') ? `Cache-Control is ${cache}` : undefined;
    },
  ],
];
