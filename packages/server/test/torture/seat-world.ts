import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../src/database/index.ts';
import { listSeatFaults } from '../../src/licensing/index.ts';
import { settleDueLinesOfOrganization } from '../../src/licensing/seats/settle-lines.ts';
import type { ApiAnswer } from '../harness/api-client.ts';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { isOf, sorted, tidiedUp, withoutTimeoutCounts } from './seat-comparison.ts';
import { MAX_OFFLINE_SECONDS, MIN_ONLINE_SEATS, SeatModel } from './seat-model.ts';
import type { ExpectedEvent, Holder, ModelActivation, ModelLicense, ModelWait } from './seat-model-types.ts';

/** The position of the license that machines may activate by key, and the maximum number of them. */
export const KEYED = 1;
export const MAX_ACTIVATIONS = 1;

/** Two applications on one database, like two separate processes. */
export interface TwoApps {
  apps: [TestApp, TestApp];
  /** Stays open until the end, because the others are `beside` it. */
  first: TestApp;
}

export async function openTwoApps(): Promise<TwoApps> {
  const first = await startTestApp();
  return { first, apps: [await startTestApp({ beside: first }), await startTestApp({ beside: first })] };
}

/** The real system that the model is compared with: a separate organization with three members and a few licenses. */
export class SeatWorld {
  readonly #two: TwoApps;
  readonly #members: readonly Member[];
  readonly #startedAtMs: number;
  /** The ID of the newest event that has already been compared. */
  #lastEvent = '';
  /** Activation tokens by the ID of their activation. Removed ones stay here, to be refused. */
  readonly #activationTokens = new Map<string, string>();

  private constructor(two: TwoApps, members: readonly Member[]) {
    this.#two = two;
    this.#members = members;
    this.#startedAtMs = Date.now();
  }

  /** Creates a new world and its model. */
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
    for (const [position, maxSeats] of seats.entries()) {
      const expiresAt = 21 * 86_400;
      const issued = await two.first.issueLicense(world.#organizationId, {
        maxSeats,
        expiresAt: world.timeOf(expiresAt),
        policy: {
          max_offline_seconds: MAX_OFFLINE_SECONDS,
          min_online_seats: MIN_ONLINE_SEATS,
          ...(position === KEYED ? { activation: 'key', max_activations: MAX_ACTIVATIONS } : {}),
        },
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

  /** A moment of the model's clock as a time of the organization's clock, in ISO 8601. */
  timeOf(seconds: number): string {
    return new Date(this.#startedAtMs + seconds * 1_000).toISOString();
  }

  acquire(
    ask: {
      place: { app: number };
      who: { user: Holder; machine: number };
      isKeyed?: boolean;
      offlineSeconds?: number | undefined;
      waitSeconds?: number | undefined;
    },
    license: ModelLicense,
  ): Promise<ApiAnswer> {
    const body = {
      license_key: license.key,
      hardware_id: hardwareIdOf(ask.who.machine),
      ...(ask.offlineSeconds === undefined ? {} : { offline_seconds: ask.offlineSeconds }),
      ...(ask.waitSeconds === undefined ? {} : { wait_seconds: ask.waitSeconds }),
    };
    const headers = ask.isKeyed === true ? { 'idempotency-key': randomBytes(8).toString('hex') } : {};
    return this.#call(ask.place.app, 'POST', '/v1/licenses/acquire', ask.who.user, { body, headers });
  }

  touch(kind: 'heartbeat' | 'release', sessionId: string, user: Holder, app: number): Promise<ApiAnswer> {
    return this.#call(app, 'POST', `/v1/licenses/${kind}`, user, { body: { session_id: sessionId } });
  }

  askWait({ id, user }: ModelWait, app: number): Promise<ApiAnswer> {
    return this.#call(app, 'GET', `/v1/licenses/waits/${id}`, user);
  }

  leaveWait({ id, user }: ModelWait, app: number): Promise<ApiAnswer> {
    return this.#call(app, 'DELETE', `/v1/licenses/waits/${id}`, user);
  }

  activate(license: ModelLicense, machine: number, app: number): Promise<ApiAnswer> {
    const body = { license_key: license.key, hardware_id: hardwareIdOf(machine) };
    return this.#app(app).api.call('POST', '/v1/licenses/activate', { body });
  }

  deactivate({ id, license }: ModelActivation, app: number): Promise<ApiAnswer> {
    return this.#call(app, 'DELETE', `/v1/licenses/${license.id}/activations/${id}`, 0);
  }

  /** Remembers the token of an activation, and checks that the service refuses the previous one. */
  async replaceToken(activationId: string, token: string): Promise<void> {
    const old = this.#activationTokens.get(activationId);
    this.#activationTokens.set(activationId, token);
    if (old !== undefined) {
      const options = { token: old, body: { session_id: 'ses_none' } };
      const answers = await Promise.all(
        this.#two.apps.map((app) => app.api.call('POST', '/v1/licenses/heartbeat', options)),
      );
      expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    }
  }

  #call(
    app: number,
    method: string,
    path: string,
    holder: Holder,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<ApiAnswer> {
    const isMember = typeof holder === 'number';
    const token = isMember ? this.#members[holder]?.accessToken : this.#activationTokens.get(holder);
    const organization = isMember ? { 'x-organization-id': this.#organizationId } : {};
    return this.#app(app).api.call(method, path, { token, body, headers: { ...headers, ...organization } });
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

  /** How many seats were active with each session acquired since the last comparison, by session ID. */
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
   * Compares what happened since the last comparison with what should have: the events, each once and with the right
   * counts, and the seats of every license. Refusals are announced by a job, at most once a minute, and have their own
   * tests. A request that needs a seat may end sessions that are over. The model follows.
   */
  async expectEvents(
    model: SeatModel,
    expected: readonly ExpectedEvent[],
    { isSettled = true }: { isSettled?: boolean } = {},
  ): Promise<void> {
    if (isSettled) {
      await settleDueLinesOfOrganization(this.database, this.#organizationId);
    }
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
    if (isSettled) {
      model.settleAll();
    }
    await this.#expectSeats(model);
    await this.#expectLines(model);
  }

  async #expectLines(model: SeatModel): Promise<void> {
    const waits = await execute(
      this.database,
      `select id, license_id, status, reason, session_id, is_reserved and ended_at is null as is_reserved from seat_waits
       where organization_id = $1 order by place`,
      [this.#organizationId],
    );
    expect(waits).toEqual(
      model.waits.map((wait) => ({
        id: wait.id,
        license_id: wait.license.id,
        status: wait.status,
        reason: wait.reason,
        session_id: wait.session?.id ?? null,
        is_reserved: wait.isReserved && wait.status === 'waiting',
      })),
    );
    const revoked = await execute<{ id: string }>(
      this.database,
      `select id from license_revocations where organization_id = $1 and cause = 'released' order by id`,
      [this.#organizationId],
    );
    expect(revoked.map(({ id }) => id)).toEqual([...model.revoked].toSorted());
    expect((await listSeatFaults(this.database)).filter(({ license_id: id }) => isOf(model, id))).toEqual([]);
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

function hardwareIdOf(machine: number): string {
  return `hw_${String(machine).padStart(32, '0')}`;
}
