import { randomBytes } from 'node:crypto';
import type { HttpsClient, Outcome } from '../https-client.ts';
import type { Person } from '../world.ts';
import type { Entry, Result } from './entry.ts';

/** What the workers work with. */
export interface Site {
  client: HttpsClient;
  baseUrls: readonly string[];
  organizationId: string;
  people: readonly Person[];
  licenses: ReadonlyArray<{ key: string }>;
  /** Machines that were activated by key. The first workers are these machines. */
  activated?: ReadonlyArray<{ token: string; hardwareId: string; license: number }>;
  /** Whether workers also wait in line and take offline seats. */
  areClaiming?: boolean;
  timeoutMs: number;
  /** Called before every operation. */
  isOver(): boolean;
  record(entry: Entry): void;
}

export interface Worker {
  person: Person;
  hardwareId: string;
  /** For a machine activated by key, which stays this machine, and uses this license. */
  activationToken?: string;
  ownLicense?: number;
  held: { sessionId: string; license: number; isOffline?: boolean } | undefined;
}

export type Held = NonNullable<Worker['held']>;

export function ask(
  site: Site,
  worker: Worker,
  operation: 'acquire' | 'heartbeat' | 'release',
  body: unknown,
): Promise<Outcome> {
  return call(site, worker, 'POST', operation, body);
}

export function call(
  site: Site,
  { activationToken, person }: Worker,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Outcome> {
  const baseUrl = site.baseUrls[anyOf(site.baseUrls.length)];
  const asMember = { token: person.token, organizationId: site.organizationId };
  const caller = activationToken === undefined ? asMember : { token: activationToken };
  return site.client.call(method, `${baseUrl}/v1/licenses/${path}`, caller, body);
}

/** The meaning of a response other than success. Only these few are allowed. */
export function refusalOf(outcome: Outcome): Result {
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

export function record(
  site: Site,
  worker: Worker,
  operation: Entry['operation'],
  license: number,
  sessionId: string | undefined,
  outcome: Outcome,
  result: Result,
  more: Pick<Entry, 'isOffline'> = {},
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
    ...more,
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

export function anyOf(count: number): number {
  return Math.floor(Math.random() * count);
}

export function machine(): string {
  return `hw_${randomBytes(16).toString('hex')}`;
}
