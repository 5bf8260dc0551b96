import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpsClient, Outcome } from '../https-client.ts';
import type { Person } from '../world.ts';
import type { Entry, Result } from './entry.ts';

/** Where and on what the workers work. */
export interface Site {
  client: HttpsClient;
  baseUrls: readonly string[];
  organizationId: string;
  people: readonly Person[];
  licenses: ReadonlyArray<{ key: string }>;
  timeoutMs: number;
  /** Asked before every operation. */
  isOver(): boolean;
  record(entry: Entry): void;
}

/** Lets so many clients take, keep, give back and abandon seats at random until the site is closed. */
export async function work(site: Site, workers: number): Promise<void> {
  await Promise.all(Array.from({ length: workers }, (_, number) => runWorker(site, number)));
}

interface Worker {
  person: Person;
  hardwareId: string;
  held: { sessionId: string; license: number } | undefined;
}

async function runWorker(site: Site, number: number): Promise<void> {
  const person = site.people[number % site.people.length];
  if (person === undefined) {
    throw new Error('nobody is there to work');
  }
  const worker: Worker = { person, hardwareId: machine(), held: undefined };
  while (!site.isOver()) {
    const result = await (worker.held === undefined
      ? acquire(site, worker, anyOf(site.licenses.length))
      : useSeat(site, worker, worker.held));
    await sleep(result === 'unsent' || result === 'unknown' ? 100 : pauseMs(site, result));
  }
}

/**
 * Mostly a moment; now and then as long as a timeout, to the millisecond about it, so that ends and beginnings meet. A
 * worker that was refused waits half as long again: otherwise, the faster the service, the more of its operations would
 * be refusals.
 */
function pauseMs({ timeoutMs }: Site, result: Result | undefined): number {
  const chance = Math.random();
  if (chance < 0.02) {
    return timeoutMs - 20 + Math.random() * 40;
  }
  return chance < 0.03 ? Math.random() * 1.5 * timeoutMs : Math.random() * (result === 'full' ? 90 : 60);
}

type Held = NonNullable<Worker['held']>;

async function useSeat(site: Site, worker: Worker, held: Held): Promise<Result | undefined> {
  const chance = Math.random();
  if (chance < 0.5) {
    return heartbeat(site, worker, held);
  }
  if (chance < 0.8) {
    return release(site, worker, held);
  }
  if (chance < 0.92) {
    return acquire(site, worker, held.license);
  }
  // Falls silent: sometimes for good, sometimes to come back as the same machine.
  worker.held = undefined;
  worker.hardwareId = chance < 0.96 ? machine() : worker.hardwareId;
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
  // When nobody knows, it is asked again: a release may be repeated.
  if (result === 'done' || result === 'timed-out') {
    worker.held = undefined;
  }
  return result;
}

function ask(site: Site, worker: Worker, operation: Entry['operation'], body: unknown): Promise<Outcome> {
  const baseUrl = site.baseUrls[anyOf(site.baseUrls.length)];
  const caller = { token: worker.person.token, organizationId: site.organizationId };
  return site.client.call('POST', `${baseUrl}/v1/licenses/${operation}`, caller, body);
}

/** What an answer other than success means; only these few may ever be given. */
function refusalOf(outcome: Outcome): Result {
  if (outcome.kind !== 'answer') {
    return outcome.kind;
  }
  const code: unknown = outcome.body?.error?.code;
  const isUnavailable = outcome.status === 503 && code === 'service_unavailable';
  if (isUnavailable) {
    return outcome.headers['retry-after'] === undefined ? 'fault' : 'unknown';
  }
  const refusals: Record<string, Result> = {
    no_seats_available: 'full',
    session_timeout: 'timed-out',
    session_released: 'released',
  };
  return (outcome.status === 409 ? refusals[String(code)] : undefined) ?? 'fault';
}

function record(
  site: Site,
  worker: Worker,
  operation: Entry['operation'],
  license: number,
  sessionId: string | undefined,
  outcome: Outcome,
  result: Result,
): void {
  const { sentAt, receivedAt } = outcome;
  const { hardwareId, person } = worker;
  site.record({
    operation,
    license,
    sessionId,
    userId: person.userId,
    hardwareId,
    sentAt,
    receivedAt,
    result,
    ...(operation === 'release' && result === 'done' && outcome.kind === 'answer'
      ? { releasedAt: outcome.body.data.released_at }
      : {}),
    ...noteOf(outcome, result),
  });
}

function noteOf(outcome: Outcome, result: Result): { note?: string } {
  if (outcome.kind === 'unknown') {
    return { note: outcome.reason };
  }
  return outcome.kind === 'answer' && result === 'fault'
    ? { note: `${outcome.status} ${JSON.stringify(outcome.body)}` }
    : {};
}

function anyOf(count: number): number {
  return Math.floor(Math.random() * count);
}

function machine(): string {
  return `hw_${randomBytes(16).toString('hex')}`;
}
