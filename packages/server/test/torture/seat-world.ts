import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../src/database/index.ts';
import type { ApiAnswer } from '../harness/api-client.ts';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { type ExpectedEvent, type ModelLicense, SeatModel } from './seat-model.ts';

/** Two applications on one database, each as a process of its own would be. */
export interface TwoApps {
  apps: [TestApp, TestApp];
  /** Closed at the end; held open, since the others are `beside` it. */
  first: TestApp;
}

export async function openTwoApps(): Promise<TwoApps> {
  const first = await startTestApp();
  return { first, apps: [await startTestApp({ beside: first }), await startTestApp({ beside: first })] };
}

/** The real thing that the model is compared with: an organization of its own with three members and a few licenses. */
export class SeatWorld {
  readonly #two: TwoApps;
  readonly #members: readonly Member[];
  readonly #startedAtMs: number;
  /** Id of the newest event that was compared already. */
  #lastEvent = '';

  private constructor(two: TwoApps, members: readonly Member[]) {
    this.#two = two;
    this.#members = members;
    this.#startedAtMs = Date.now();
  }

  /** A new world and the model of it. */
  static async create(two: TwoApps, seats: readonly number[]): Promise<{ world: SeatWorld; model: SeatModel }> {
    const members = await Promise.all(['Ada', 'Bob', 'Eve'].map((name) => two.first.register(name)));
    const world = new SeatWorld(two, members);
    const [, ...others] = members;
    for (const other of others) {
      await execute(
        two.first.database,
        `insert into memberships (organization_id, user_id, user_name, role, created_at)
         values ($1, $2, 'Test', 'member', clock_timestamp())`,
        [world.#organizationId, other.userId],
      );
    }
    const model = new SeatModel();
    for (const maxSeats of seats) {
      const expiresAt = 21 * 86_400;
      const issued = await two.first.issueLicense(world.#organizationId, {
        maxSeats,
        expiresAt: world.timeOf(expiresAt),
      });
      const { id, key } = issued;
      model.licenses.push({
        id,
        key,
        seats: maxSeats,
        state: 'active',
        expiresAt,
        warnedFor: undefined,
        expiryToldFor: undefined,
      });
    }
    return { world, model };
  }

  get database(): Database {
    return this.#two.first.database;
  }

  get #organizationId(): string {
    return this.#members[0]?.organizationId ?? '';
  }

  /** A moment of the model's clock on the organization's own, ISO 8601. */
  timeOf(seconds: number): string {
    return new Date(this.#startedAtMs + seconds * 1_000).toISOString();
  }

  acquire(
    ask: { place: { app: number }; who: { user: number; machine: number }; isKeyed?: boolean },
    license: ModelLicense,
  ): Promise<ApiAnswer> {
    const body = { license_key: license.key, hardware_id: `hw_${String(ask.who.machine).padStart(32, '0')}` };
    const headers = ask.isKeyed === true ? { 'idempotency-key': randomBytes(8).toString('hex') } : {};
    return this.#post(ask.place.app, 'acquire', ask.who.user, body, headers);
  }

  touch(kind: 'heartbeat' | 'release', sessionId: string, user: number, app: number): Promise<ApiAnswer> {
    return this.#post(app, kind, user, { session_id: sessionId }, {});
  }

  #post(app: number, path: string, user: number, body: object, headers: object): Promise<ApiAnswer> {
    const all = { ...headers, 'x-organization-id': this.#organizationId };
    return this.#app(app).api.post(`/v1/licenses/${path}`, this.#members[user]?.accessToken, body, all);
  }

  #app(position: number): TestApp {
    return this.#two.apps[position === 0 ? 0 : 1];
  }

  moveClock(seconds: number): Promise<void> {
    return this.#two.first.moveClock(this.#organizationId, seconds);
  }

  async runJobs(): Promise<void> {
    await Promise.all(this.#two.apps.map((app) => app.runJobs()));
  }

  async restart(position: number): Promise<void> {
    const fresh = await startTestApp({ beside: this.#two.first });
    const old = this.#app(position);
    this.#two.apps[position === 0 ? 0 : 1] = fresh;
    await old.close();
  }

  /** How many seats were active with each session that was acquired since the last time, by its id. */
  async countsOfAcquired(): Promise<ReadonlyMap<string, number>> {
    const rows = await execute<{ session_id: string; active_seats: number }>(
      this.database,
      `select object ->> 'session_id' as session_id, (object ->> 'active_seats')::integer as active_seats from events
       where organization_id = $1 and id > $2 and type = 'license.seat.acquired'`,
      [this.#organizationId, this.#lastEvent],
    );
    return new Map(rows.map((row) => [row.session_id, row.active_seats]));
  }

  /**
   * Compares what happened since the last time with what should have: the events, each once and with the right counts,
   * and the seats of every license. Refusals are announced by a job, once a minute at most, and have tests of their own. A request that needs a seat may end sessions that are over; the model follows.
   */
  async expectEvents(model: SeatModel, expected: readonly ExpectedEvent[]): Promise<void> {
    const rows = await execute<{ id: string; type: string; object: Record<string, unknown> }>(
      this.database,
      `select id, type, object from events
       where organization_id = $1 and id > $2 and type <> 'license.seat.refused' order by id`,
      [this.#organizationId, this.#lastEvent],
    );
    this.#lastEvent = rows.at(-1)?.id ?? this.#lastEvent;
    const told = rows.map(({ type, object }) => ({
      type,
      license: String(object.license_id),
      ...(typeof object.session_id === 'string' ? { session: object.session_id } : {}),
      activeSeats: Number(object.active_seats),
      maxSeats: Number(object.max_seats),
    }));
    expect(sorted(told.map(withoutTimeoutCounts))).toEqual(
      sorted([...expected, ...tidiedUp(model, expected, told)].map(withoutTimeoutCounts)),
    );
    await this.#expectSeats(model);
  }

  async #expectSeats(model: SeatModel): Promise<void> {
    const detail = await Promise.all(
      model.licenses.map(({ id }) => this.#app(0).api.get(`/v1/licenses/${id}`, this.#members[0]?.accessToken)),
    );
    expect(
      detail.map(({ body }) => ({
        activeSeats: body.data.active_seats,
        status: body.data.status,
        sessions: body.data.sessions.map((each: { id: string }) => each.id).toSorted(),
      })),
    ).toEqual(
      model.licenses.map((license) => ({
        activeSeats: model.activeSeats(license),
        status: model.licenseRefusal(license)?.replace('license_', '') ?? 'active',
        sessions: model.sessions
          .filter((session) => session.license === license && model.isAlive(session))
          .map((session) => session.id)
          .toSorted(),
      })),
    );
    const counts = await execute<{ taken: number; held: number }>(
      this.database,
      `select n.taken, count(s.session_id)::int as held from license_seat_counts n
       left join seat_slots s on s.organization_id = n.organization_id and s.license_id = n.license_id
       where n.organization_id = $1 group by n.license_id, n.taken order by n.license_id`,
      [this.#organizationId],
    );
    const inModel = model.licenses
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map((license) => model.sessions.filter((each) => each.license === license && each.end === undefined).length);
    expect(counts).toEqual(inModel.map((held) => ({ taken: held, held })));
  }
}

/** Timeouts that were announced earlier than expected: correct if the session is over, and only once. */
function tidiedUp(model: SeatModel, expected: readonly ExpectedEvent[], told: readonly ExpectedEvent[]) {
  const known = new Set(expected.map((event) => `${event.type} ${event.session}`));
  return told
    .filter((event) => event.type === 'license.seat.timeout' && !known.has(`${event.type} ${event.session}`))
    .flatMap((event) => {
      const session = model.sessions.find((each) => each.id === event.session);
      return session !== undefined && model.isOver(session) ? [model.tidyUp(session)] : [];
    });
}

/** A seat may be tidied up before or between others that are taken at the same moment, so its count is only bounded. */
function withoutTimeoutCounts(event: ExpectedEvent): ExpectedEvent {
  return event.type === 'license.seat.timeout' ? { ...event, activeSeats: 0 } : event;
}

function sorted(events: readonly ExpectedEvent[]): ExpectedEvent[] {
  return events.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** Of sessions that begin at one moment, which is counted first is open: they sort by their count. */
function nameOf(event: ExpectedEvent): string {
  return [event.license, event.type, String(event.activeSeats).padStart(9, '0'), event.session].join(' ');
}

/** The place of a new session among those that were acquired; ids do not tell, since they are made before the lock. */
export function countOf(answer: ApiAnswer, counts: ReadonlyMap<string, number>): number {
  return counts.get(String(answer.body.data?.session_id)) ?? 0;
}
