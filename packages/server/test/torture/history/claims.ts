import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../https-client.ts';
import type { Result } from './entry.ts';
import { call, record, refusalOf, type Site, type Worker } from './worker.ts';

/**
 * Joins the line of a license, and asks until it has a seat, or loses patience and leaves. Broken requests are retried,
 * because a silent machine keeps its place, and a seat reserved for it, for longer than a run takes.
 */
export async function waitInLine(site: Site, worker: Worker, license: number): Promise<Result> {
  const joined = await untilAnswered(() => acquireWith(site, worker, license, { wait_seconds: 3_600 }));
  const { sentAt } = joined.first;
  if (joined.last.status !== 202) {
    return finish(site, worker, license, sentAt, joined.last);
  }
  const path = `waits/${joined.last.body.data.wait_id}`;
  const patienceMs = Math.random() * 2 * site.timeoutMs;
  for (;;) {
    const isPatient = !site.isOver() && performance.now() - sentAt < patienceMs;
    const { last } = await untilAnswered(() => call(site, worker, 'GET', `${path}?timeout=${isPatient ? 1 : 0}`));
    const hasEnded = last.status !== 200 || last.body.data.status !== 'waiting';
    if (hasEnded) {
      return finish(site, worker, license, sentAt, last);
    }
    if (!isPatient) {
      const left = await untilAnswered(() => call(site, worker, 'DELETE', path));
      if (left.last.status === 204) {
        return finish(site, worker, license, sentAt, left.last);
      }
    }
  }
}

/** Takes an offline seat. Broken requests are retried: the machine must know its seat to release it. */
export async function borrow(site: Site, worker: Worker, license: number): Promise<Result> {
  const { first, last } = await untilAnswered(() => acquireWith(site, worker, license, { offline_seconds: 3_600 }));
  return finish(site, worker, license, first.sentAt, last, true);
}

type Answer = Extract<Outcome, { kind: 'answer' }>;

function acquireWith(site: Site, worker: Worker, license: number, more: object): Promise<Outcome> {
  const body = { license_key: site.licenses[license]?.key, hardware_id: worker.hardwareId, ...more };
  return call(site, worker, 'POST', 'acquire', body);
}

async function untilAnswered(send: () => Promise<Outcome>): Promise<{ first: Outcome; last: Answer }> {
  const first = await send();
  for (let last = first; ; last = await send()) {
    if (last.kind === 'answer' && last.status !== 503) {
      return { first, last };
    }
    await sleep(100);
  }
}

/** Records the claim, and the seat that it led to. */
function finish(
  site: Site,
  worker: Worker,
  license: number,
  firstSentAt: number,
  last: Answer,
  isOffline = false,
): Result {
  record(site, worker, 'claim', license, undefined, { ...last, sentAt: firstSentAt }, 'done');
  const sessionId: unknown = last.body?.data?.session_id;
  if (typeof sessionId === 'string') {
    const offline = isOffline ? { isOffline } : {};
    record(site, worker, 'acquire', license, sessionId, last, 'done', offline);
    worker.held = { sessionId, license, ...offline };
    return 'done';
  }
  if (last.status === 204 || CANNOT_HAVE.has(last.body?.error?.code)) {
    return 'done';
  }
  const result = refusalOf(last);
  record(site, worker, 'acquire', license, undefined, last, result);
  return result;
}

/** This many seats stay online. */
const CANNOT_HAVE = new Set(['offline_not_allowed']);
