import type { CheckGroup } from './check.ts';
import { Fault } from './expectations.ts';
import type { HeaderRule } from './header-watch.ts';
import type { Probe } from './probe.ts';

/** Contract sections 2 and 10: the headers of every response. It is the last group, so that it judges the whole run. */
export const EVERY_ANSWER: CheckGroup = {
  key: 'every-answer',
  title: '§2, §10 Every answer of this run',
  checks: [
    { name: 'has an X-Request-Id, the same as meta.request_id', run: (probe) => requireKept(probe, 'request_id') },
    { name: 'has the three X-RateLimit headers', run: (probe) => requireKept(probe, 'rate_limit') },
    { name: 'has Strict-Transport-Security and nosniff', run: (probe) => requireKept(probe, 'security') },
    {
      name: 'to a request with a token is never cached: Cache-Control no-store',
      run: (probe) => requireKept(probe, 'no_store'),
    },
  ],
};

async function requireKept(probe: Probe, rule: HeaderRule): Promise<void> {
  // If only this group runs, there is nothing to judge yet.
  if (probe.headerWatch.answers === 0) {
    await probe.open('GET', '/v1/plans');
    await probe.open('GET', '/v1/no-such-thing');
  }
  const fault = probe.headerWatch.faultOf(rule);
  if (fault !== undefined) {
    throw new Fault(fault);
  }
}
