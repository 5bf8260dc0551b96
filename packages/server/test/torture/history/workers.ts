import { setTimeout as sleep } from 'node:timers/promises';
import { borrow, waitInLine } from './claims.ts';
import type { Result } from './entry.ts';
import { anyOf, ask, type Held, machine, record, refusalOf, type Site, type Worker } from './worker.ts';

/** Lets this many clients acquire, keep, release and abandon seats at random until the site is closed. */
export async function work(site: Site, workers: number): Promise<void> {
  await Promise.all(Array.from({ length: workers }, (_, number) => runWorker(site, number)));
}

async function runWorker(site: Site, number: number): Promise<void> {
  const person = site.people[number % site.people.length];
  if (person === undefined) {
    throw new Error('there is nobody to work');
  }
  const activated = site.activated?.[number];
  const worker: Worker =
    activated === undefined
      ? { person, hardwareId: machine(), held: undefined }
      : {
          person,
          hardwareId: activated.hardwareId,
          activationToken: activated.token,
          ownLicense: activated.license,
          held: undefined,
        };
  while (!site.isOver()) {
    const result = await (worker.held === undefined ? begin(site, worker) : useSeat(site, worker, worker.held));
    await sleep(result === 'unsent' || result === 'unknown' ? 100 : pauseMs(site, result));
  }
  // Nobody else frees a machine's offline seat.
  while (worker.held?.isOffline === true) {
    await release(site, worker, worker.held);
    await sleep(100);
  }
}

function begin(site: Site, worker: Worker): Promise<Result> {
  const license = worker.ownLicense ?? anyOf(site.licenses.length);
  const chance = site.areClaiming === true ? Math.random() : 1;
  if (chance < 0.15) {
    return waitInLine(site, worker, license);
  }
  return chance < 0.2 ? borrow(site, worker, license) : acquire(site, worker, license);
}

/**
 * Mostly a moment. Occasionally a timeout, give or take milliseconds, so that ends and beginnings meet. A worker
 * that was refused waits half as long again: otherwise, the faster the service, the more operations would be refusals.
 */
function pauseMs({ timeoutMs }: Site, result: Result | undefined): number {
  const chance = Math.random();
  if (chance < 0.02) {
    return timeoutMs - 20 + Math.random() * 40;
  }
  return chance < 0.03 ? Math.random() * 1.5 * timeoutMs : Math.random() * (result === 'full' ? 90 : 60);
}

async function useSeat(site: Site, worker: Worker, held: Held): Promise<Result | undefined> {
  const chance = Math.random();
  if (held.isOffline === true) {
    return release(site, worker, held);
  }
  if (chance < 0.5) {
    return heartbeat(site, worker, held);
  }
  if (chance < 0.8) {
    return release(site, worker, held);
  }
  if (chance < 0.92) {
    return acquire(site, worker, held.license);
  }
  // Falls silent, sometimes forever, sometimes to come back as the same machine.
  worker.held = undefined;
  worker.hardwareId = chance < 0.96 && worker.activationToken === undefined ? machine() : worker.hardwareId;
  return undefined;
}

async function acquire(site: Site, worker: Worker, license: number): Promise<Result> {
  const body = { license_key: site.licenses[license]?.key, hardware_id: worker.hardwareId };
  const outcome = await ask(site, worker, 'acquire', body);
  const answered = outcome.kind === 'answer' && (outcome.status === 201 || outcome.status === 200);
  const sessionId = answered && outcome.kind === 'answer' ? String(outcome.body.data.session_id) : undefined;
  const result = answered ? 'done' : refusalOf(outcome);
  record(site, worker, 'acquire', license, sessionId, outcome, result);
  worker.held = sessionId === undefined ? undefined : { sessionId, license };
  return result;
}

async function heartbeat(site: Site, worker: Worker, held: Held): Promise<Result> {
  const outcome = await ask(site, worker, 'heartbeat', { session_id: held.sessionId });
  const result = outcome.kind === 'answer' && outcome.status === 200 ? 'done' : refusalOf(outcome);
  record(site, worker, 'heartbeat', held.license, held.sessionId, outcome, result);
  if (result === 'timed-out' || result === 'released') {
    worker.held = undefined;
  }
  return result;
}

async function release(site: Site, worker: Worker, held: Held): Promise<Result> {
  const outcome = await ask(site, worker, 'release', { session_id: held.sessionId });
  const result = outcome.kind === 'answer' && outcome.status === 200 ? 'done' : refusalOf(outcome);
  record(site, worker, 'release', held.license, held.sessionId, outcome, result);
  // If the outcome is unknown, it retries: a release may be repeated.
  if (result === 'done' || result === 'timed-out') {
    worker.held = undefined;
  }
  return result;
}
