import { randomBytes } from 'node:crypto';
import type { Member, TestApp } from '../../server/test/harness/index.ts';
import { type Fetch, Seat, type SeatEvent, SeatholdError, type SeatOptions } from '../src/index.ts';
import { BASE_URL, fetchAt } from './flaky-server.ts';

export const DAY = 86_400;
export const machine = () => `hw_${randomBytes(16).toString('hex')}`;

/** A license whose seats send two heartbeats a second, so that no test waits for one. */
export const issue = (app: TestApp, by: Member, terms: object = {}) =>
  app.issueLicense(by.organizationId, { maxSeats: 1, heartbeatIntervalSeconds: 1, expiresAt: null, ...terms });

/** A network that can be cut. */
export class Network {
  isCut = false;
  readonly paths: string[] = [];
  readonly #fetch: Fetch;

  constructor(app: TestApp) {
    this.#fetch = fetchAt(app.api.baseUrl);
  }

  readonly fetch: Fetch = (url, request) => {
    this.paths.push(`${request.method} ${new URL(url).pathname}`);
    return this.isCut ? Promise.reject(new TypeError('fetch failed')) : this.#fetch(url, request);
  };
}

/** Acquires a seat, and collects its events. */
export async function take(app: TestApp, by: Member, licenseKey: string, more: Partial<SeatOptions> = {}) {
  const told: SeatEvent[] = [];
  const options: SeatOptions = {
    baseUrl: BASE_URL,
    token: by.accessToken,
    licenseKey,
    hardwareId: machine(),
    fetch: fetchAt(app.api.baseUrl),
    releaseAtExit: false,
    onEvent: (event) => told.push(event),
    ...more,
  };
  return { seat: await Seat.acquire(options), told, options };
}

export const types = (told: readonly SeatEvent[]) => told.map(({ type }) => type);
export const activeSeats = async (app: TestApp, by: Member, id: string) =>
  (await app.api.get(`/v1/licenses/${id}`, by.accessToken)).body.data.active_seats;

/** A store in memory. */
export function createStore() {
  let kept: string | undefined;
  return {
    load: () => kept,
    save: (text: string) => {
      kept = text;
    },
  };
}

export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof SeatholdError ? error.code : String(error);
}

/** Requests of a member acting in an admin's organization. */
export function inOrganization(app: TestApp, { organizationId }: Member): Fetch {
  const send = fetchAt(app.api.baseUrl);
  return (url, request) => send(url, { ...request, headers: within({ organizationId }, request.headers) });
}

export function within({ organizationId }: Pick<Member, 'organizationId'>, headers: Record<string, string>) {
  return { ...headers, 'x-organization-id': organizationId };
}
