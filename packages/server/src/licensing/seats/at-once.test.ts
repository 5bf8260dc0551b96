import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSilentLicenseTools } from '../../../test/harness/create-silent-license-tools.ts';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { Database, type Queries } from '../../database/index.ts';
import { changeLicense } from '../index.ts';

/** Records the statements about seats by name, and that transactions ran. */
class RecordingDatabase extends Database {
  readonly sent: string[] = [];

  override async execute(...given: Parameters<Database['execute']>) {
    if (/slots|seat|license|bearer/.test(given[0].name)) this.sent.push(given[0].name);
    return super.execute(...given);
  }

  override async transaction<T>(body: (tx: Queries) => Promise<T>): Promise<T> {
    this.sent.push('transaction');
    return super.transaction(body);
  }
}

let recording: RecordingDatabase;
let test: TestApp;
let second: TestApp;
let ada: Member;

beforeAll(async () => {
  test = await startTestApp({
    openDatabase: (...given) => {
      recording = new RecordingDatabase(...given);
      return recording;
    },
  });
  second = await startTestApp({ beside: test });
  ada = await test.register();
});
afterAll(async () => {
  await second.close();
  await test.close();
});

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = (key: string, hardwareId = machine(), app = test, token = ada.accessToken, metadata?: object) =>
  app.api.post('/v1/licenses/acquire', token, { license_key: key, hardware_id: hardwareId, metadata });
const release = (id: string, app = test, token = ada.accessToken) =>
  app.api.post('/v1/licenses/release', token, { session_id: id });
const eventsOf = (licenseId: string) =>
  execute<{ type: string; object: Record<string, unknown> }>(
    test.database,
    `select type, object from events where object ->> 'license_id' = $1 order by id`,
    [licenseId],
  );
/** The events without the fields that differ between sessions. */
const shapesOf = (events: Awaited<ReturnType<typeof eventsOf>>) =>
  events.map(({ type, object }) => ({
    type,
    object: Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        name,
        /_at$|heartbeat$/.test(name)
          ? String(value).replaceAll(/\d/g, '0')
          : /id$|key/.test(name)
            ? typeof value
            : value,
      ]),
    ),
  }));

describe('a free seat', () => {
  it('is taken and released in one statement each, including its token and its events', async () => {
    const license = await test.issueLicense(ada.organizationId);
    await release((await acquire(license.key)).body.data.session_id);
    await expect
      .poll(async () => {
        recording.sent.length = 0;
        const taken = await acquire(license.key);
        expect((await release(taken.body.data.session_id)).status).toBe(200);
        return recording.sent;
      })
      // The number of the organization's seats, for its rate limit, is queried every few seconds.
      .toEqual(['update_free_slots_heard', 'update_live_slots_heard']);
  });

  it('is announced as in a batch, including the last one and its release', async () => {
    const [single, batched] = [
      await test.issueLicense(ada.organizationId, { maxSeats: 2 }),
      await test.issueLicense(ada.organizationId, { maxSeats: 2 }),
    ];
    // A session past its timeout sends the requests of its license through a batch.
    await execute(
      test.database,
      `insert into seat_slots (organization_id, license_id, slot, session_id, user_id, hardware_id, started_at,
         last_heartbeat, deadline, reap_at)
       values ($1, $2, 7, 'sess_over', 'usr', 'hw', '2020-01-01', '2020-01-01', '2020-01-01', '2020-01-01')`,
      [ada.organizationId, batched.id],
    );
    await execute(test.database, `update license_seat_counts set taken = 1 where license_id = $1`, [batched.id]);
    for (const { key, id } of [single, batched]) {
      recording.sent.length = 0;
      await acquire(key);
      const last = await acquire(key);
      expect(last.status).toBe(201);
      await release(last.body.data.session_id);
      expect(recording.sent.includes('transaction')).toBe(id === batched.id);
    }
    expect(shapesOf(await eventsOf(single.id))).toEqual(shapesOf(await eventsOf(batched.id)));
    expect((await eventsOf(single.id)).map(({ type }) => type)).toEqual([
      'license.seat.acquired',
      'license.seat.acquired',
      'license.seats.exhausted',
      'license.seat.released',
    ]);
  });

  it('is not granted or released to a token revoked by this process or another', async () => {
    const license = await test.issueLicense(ada.organizationId);
    const { token, id } = (
      await test.api.post('/v1/api-tokens', ada.accessToken, { name: 'x', scopes: ['manage:licenses'] })
    ).body.data;
    const taken = await acquire(license.key, machine(), test, token);
    expect(taken.status).toBe(201);
    await second.api.call('DELETE', `/v1/api-tokens/${id}`, { token: ada.accessToken });
    expect((await acquire(license.key, machine(), test, token)).status).toBe(401);
    expect((await release(taken.body.data.session_id, test, token)).status).toBe(401);
    const detail = await test.api.get(`/v1/licenses/${license.id}`, ada.accessToken);
    expect(detail.body.data.active_seats).toBe(1);
  });

  it('is not released by a former admin', async () => {
    const license = await test.issueLicense(ada.organizationId);
    const bob = await test.register('Bob');
    await execute(
      test.database,
      `insert into memberships (organization_id, user_id, user_name, role, created_at)
       values ($1, $2, 'Bob', 'admin', clock_timestamp())`,
      [ada.organizationId, bob.userId],
    );
    const asBob = async () => {
      const taken = await acquire(license.key);
      return test.api.post(
        '/v1/licenses/release',
        bob.accessToken,
        { session_id: taken.body.data.session_id },
        { 'x-organization-id': ada.organizationId },
      );
    };
    expect((await asBob()).status).toBe(200);
    await execute(test.database, `update memberships set role = 'member' where organization_id = $1 and user_id = $2`, [
      ada.organizationId,
      bob.userId,
    ]);
    expect((await asBob()).body.error).toMatchObject({ code: 'forbidden' });
  });

  it('counts for its project when it is released', async () => {
    const license = await test.issueLicense(ada.organizationId);
    const project = (await test.api.post('/v1/projects', ada.accessToken, { name: 'Film' })).body.data;
    for (let round = 0; round < 2; round += 1) {
      const taken = await acquire(license.key, machine(), test, ada.accessToken, { project_id: project.id });
      await execute(
        test.database,
        `update seat_slots set started_at = started_at - interval '90 seconds' where session_id = $1`,
        [taken.body.data.session_id],
      );
      await release(taken.body.data.session_id);
    }
    const days = await execute(
      test.database,
      'select sum(sessions)::int as sessions, sum(seat_seconds)::int as seconds from project_usage_days where project_id = $1',
      [project.id],
    );
    expect(days).toEqual([{ sessions: 2, seconds: 180 }]);
  });

  it('is counted exactly beside a process of the previous version, which counts no changes', async () => {
    const license = await test.issueLicense(ada.organizationId, { maxSeats: 3 });
    const first = (await acquire(license.key)).body.data.session_id;
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let second: Awaited<ReturnType<typeof acquire>> | undefined;
    let asked: Promise<void> | undefined;
    await test.database.transaction(async (tx) => {
      await execute(tx, 'select from license_seat_counts where license_id = $1 for update', [license.id]);
      asked = acquire(license.key).then((answer) => {
        second = answer;
      });
      await expect.poll(() => execute(test.database, waiting)).toHaveLength(1);
      const freed = `update seat_slots set session_id = null, user_id = null, hardware_id = null, metadata = null,
        started_at = null, last_heartbeat = null, deadline = null, reap_at = '-infinity' where session_id = $1`;
      await execute(tx, freed, [first]);
      await execute(tx, 'update license_seat_counts set taken = taken - 1 where license_id = $1', [license.id]);
    });
    await asked;
    expect(second?.status).toBe(201);
    const acquired = (await eventsOf(license.id)).filter(({ type }) => type === 'license.seat.acquired');
    expect(acquired.map(({ object }) => object.active_seats)).toEqual([1, 1]);
  });

  it('is never granted twice while two processes take, release and resize', async () => {
    const license = await test.issueLicense(ada.organizationId, { maxSeats: 3 });
    const tools = createSilentLicenseTools(test.database);
    let working = 8;
    let refused = 0;
    const work = async (number: number) => {
      const app = number % 2 === 0 ? test : second;
      for (let round = 0; round < 40; round += 1) {
        const taken = await acquire(license.key, machine(), app);
        if (taken.status === 201) {
          expect((await release(taken.body.data.session_id, app)).status).toBe(200);
        } else {
          expect(taken.body.error.code).toBe('no_seats_available');
          refused += 1;
        }
      }
      working -= 1;
    };
    const resize = async () => {
      for (let maxSeats = 2; working > 0; maxSeats = maxSeats === 2 ? 3 : 2) {
        await changeLicense(tools, license.id, { kind: 'resize', maxSeats });
        const [found] = await execute<{ held: number; taken: number }>(
          test.database,
          `select n.taken, count(s.session_id)::int as held from license_seat_counts n
           left join seat_slots s on s.organization_id = n.organization_id and s.license_id = n.license_id
           where n.license_id = $1 group by n.taken`,
          [license.id],
        );
        expect(found?.taken).toBe(found?.held);
        expect(found?.held).toBeLessThanOrEqual(3);
      }
    };
    await Promise.all([...Array.from({ length: working }, (_, number) => work(number)), resize()]);
    expect(refused).toBeGreaterThan(0);
    const events = await eventsOf(license.id);
    const counts = (type: string) => events.filter((event) => event.type === type).map(({ object }) => object);
    const [acquired, released] = [counts('license.seat.acquired'), counts('license.seat.released')];
    expect(released.map((object) => object.session_id).toSorted()).toEqual(
      acquired.map((object) => object.session_id).toSorted(),
    );
    expect(acquired.every((object) => Number(object.active_seats) <= Number(object.max_seats))).toBe(true);
    expect(counts('license.seats.exhausted')).toHaveLength(
      acquired.filter((object) => object.active_seats === object.max_seats).length,
    );
  });
});
