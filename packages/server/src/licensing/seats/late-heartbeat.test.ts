import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { ACCESS } from '../../http/index.ts';
import { updateHeartbeats } from './heartbeat-queries.ts';

let ada: Member;

const hardwareId = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = (app: TestApp, key: string, machine = hardwareId()) =>
  app.api.post('/v1/licenses/acquire', ada.accessToken, { license_key: key, hardware_id: machine });
const about = (app: TestApp, route: 'heartbeat' | 'release', session: string) =>
  app.api.post(`/v1/licenses/${route}`, ada.accessToken, { session_id: session });

/**
 * A session whose heartbeat arrived in time but is not committed yet, while its old timeout passes. `during` starts in
 * the
 * meantime and waits for the heartbeat, which is then committed.
 */
async function whileHeartbeatIsLate<T>(
  app: TestApp,
  during: (held: { key: string; id: string; session: string; machine: string }) => Promise<T>,
  terms: object = {},
): Promise<{ outcome: T; key: string; id: string; session: string }> {
  ada = await app.register();
  const license = await app.issueLicense(ada.organizationId, { maxSeats: 1, ...terms });
  const machine = hardwareId();
  const session: string = (await acquire(app, license.key, machine)).body.data.session_id;
  await app.moveClock(ada.organizationId, 170);
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  // The heartbeat's transaction stays open until the other one waits for it, however busy the machine is.
  await client.query('set idle_in_transaction_session_timeout = 0');
  try {
    await client.query('begin');
    const heartbeat = {
      organizationIds: [ada.organizationId],
      sessionIds: [session],
      tokenPositions: [0],
      userIds: [ada.userId],
      timeoutSeconds: 180,
      tokenTtlSeconds: 86_400,
      scope: ACCESS.useSeats.scope,
      tokenHashes: [],
    };
    expect(await updateHeartbeats(executorOf(client), heartbeat)).toHaveLength(1);
    await app.moveClock(ada.organizationId, 20);
    const outcome = during({ ...license, session, machine });
    await waitForALock(app);
    await client.query('commit');
    return { outcome: await outcome, ...license, session };
  } finally {
    await client.end();
  }
}

async function waitForALock(app: TestApp): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const [waiting] = await execute<{ count: number }>(
      app.database,
      `select count(*)::int from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    );
    if (waiting !== undefined && waiting.count > 0) {
      return;
    }
    await setTimeout(5);
  }
  throw new Error('nothing waited for the heartbeat');
}

const eventsOf = async (app: TestApp, licenseId: string) =>
  (
    await execute<{ type: string }>(
      app.database,
      `select type from events where object->>'license_id' = $1 and type like 'license.seat.%' order by id`,
      [licenseId],
    )
  ).map((row) => row.type);

describe('a heartbeat that arrived in time and is committed after the timeout', () => {
  it('keeps its seat while the reaper examines it', async ({ app }) => {
    const { id, session } = await whileHeartbeatIsLate(app, () => app.runJob('licensing.reap-silent-seats'));
    expect((await about(app, 'heartbeat', session)).status).toBe(200);
    expect(await eventsOf(app, id)).toEqual(['license.seat.acquired']);
  });

  it('keeps its seat while another machine asks for the last one', async ({ app }) => {
    const { id, session, outcome } = await whileHeartbeatIsLate(app, ({ key }) => acquire(app, key));
    expect(outcome.body.error).toMatchObject({
      code: 'no_seats_available',
      details: { max_seats: 1, active_seats: 1 },
    });
    expect((await about(app, 'heartbeat', session)).status).toBe(200);
    expect(await eventsOf(app, id)).toEqual(['license.seat.acquired']);
  });

  it('keeps its session while its machine asks for a seat again', async ({ app }) => {
    const { session, outcome } = await whileHeartbeatIsLate(app, ({ key, machine }) => acquire(app, key, machine));
    expect([outcome.status, outcome.body.data?.session_id]).toEqual([200, session]);
  });

  it('can be released like any live session', async ({ app }) => {
    const { id, session, outcome } = await whileHeartbeatIsLate(app, ({ session }) => about(app, 'release', session));
    expect([outcome.status, outcome.body.data?.status]).toEqual([200, 'released']);
    expect((await about(app, 'heartbeat', session)).body.error.code).toBe('session_released');
    expect(await eventsOf(app, id)).toEqual(['license.seat.acquired', 'license.seat.released']);
  });

  it('does not prevent the next acquire from taking a seat that timed out', async ({ app }) => {
    const { outcome } = await whileHeartbeatIsLate(
      app,
      async ({ key, id }) => {
        // Acquired earlier and silent since. The slot of the late heartbeat comes first.
        await execute(
          app.database,
          `update seat_slots set session_id = 'sess_' || repeat('0', 26), user_id = $2, hardware_id = 'hw_' || repeat('0', 32),
             started_at = last.started_at, last_heartbeat = last.last_heartbeat, token_issued_at = last.token_issued_at,
             token_expires_at = last.token_expires_at, deadline = last.deadline, reap_at = last.deadline
           from (select * from seat_slots where license_id = $1 and session_id is not null) last
           where seat_slots.license_id = $1 and seat_slots.session_id is null`,
          [id, ada.userId],
        );
        await execute(app.database, 'update license_seat_counts set taken = taken + 1 where license_id = $1', [id]);
        return acquire(app, key);
      },
      { maxSeats: 2 },
    );
    expect(outcome.status).toBe(201);
  });
});

function executorOf(client: pg.Client): Parameters<typeof updateHeartbeats>[0] {
  return {
    execute: async ({ name, text }, values) => {
      const { rows, rowCount } = await client.query({ name, text, values: [...values] });
      return { rows, rowCount: rowCount ?? 0 };
    },
  };
}
