import pg from 'pg';
import { loadConfig } from '../../src/config/index.ts';
import { joinDatabases } from '../../src/database/index.ts';
import type { DashboardWorld, Person } from './dashboard-world.ts';

/**
 * Fills the sandbox of a running service with SQL: `$1` is the organization, `$2` the person, `$3` an ID from the
 * caller.
 */
export async function plantMuch(
  world: DashboardWorld,
  { organizationId, accessToken }: Person,
  lines: readonly Line[],
) {
  const me = await world.call('GET', '/v1/me', accessToken);
  await withDatabase(world, async (client) => {
    for (const { sql, id = '' } of lines) {
      await client.query(
        sql.replaceAll('$1', `'${organizationId}'`).replaceAll('$2', `'${me.id}'`).replaceAll('$3', `'${id}'`),
      );
    }
    await client.query('analyze');
  });
}

/** Works on the running sandbox's database. */
export async function withDatabase(world: DashboardWorld, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const { config } = loadConfig(world.server.settings);
  if (config === undefined) {
    throw new Error('the settings of the service cannot be read');
  }
  const { sandbox } = await joinDatabases(config, () => undefined);
  const client = new pg.Client({ connectionString: sandbox });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

interface Line {
  sql: string;
  id?: string;
}

const newId = (prefix: string, n: string) => `'${prefix}_0' || lpad((${n})::text, 25, '0')`;

/** This many licenses, each with a free seat. */
export const licenses = (count: number): Line[] => [
  {
    sql: `insert into licenses (organization_id, id, key, product, max_seats, features, state, expires_at, created_at, updated_at)
      select $1, ${newId('lic', 'n')}, 'SEED0-00000-00000-' || lpad(n::text, 6, '0'), 'studio', 1, '{}', 'active',
        clock_timestamp() + interval '1 year', clock_timestamp() - n * interval '1 minute', clock_timestamp()
      from generate_series(1, ${count}) n`,
  },
  {
    sql: `insert into license_seat_counts (organization_id, license_id, taken)
      select organization_id, id, 0 from licenses where organization_id = $1 on conflict do nothing`,
  },
  {
    sql: `insert into seat_slots (organization_id, license_id, slot) select organization_id, id, 1 from licenses
      where organization_id = $1 on conflict do nothing`,
  },
];

/** Every seat of this license taken, each by another machine. */
export const takenSeats = (licenseId: string, count: number): Line[] => [
  { id: licenseId, sql: 'delete from seat_slots where organization_id = $1 and license_id = $3' },
  {
    id: licenseId,
    sql: `insert into seat_slots (organization_id, license_id, slot, session_id, user_id, hardware_id, metadata, started_at,
        last_heartbeat, deadline, reap_at, token_issued_at, token_expires_at)
      select $1, $3, n, ${newId('sess', 'n')}, $2, 'hw_' || lpad(n::text, 32, '0'),
        jsonb_build_object('hostname', 'workstation-' || n, 'client_version', '4.2.' || n % 10), t, t,
        t + interval '30 days', t + interval '30 days', t, t + interval '30 days'
      from generate_series(1, ${count}) n, (select clock_timestamp() as t) now`,
  },
  {
    id: licenseId,
    sql: `update license_seat_counts set taken = ${count} where organization_id = $1 and license_id = $3`,
  },
];

/** This many deliveries to this endpoint. One in ten failed. */
export const deliveries = (endpointId: string, count: number): Line[] => [
  {
    id: endpointId,
    sql: `insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, attempts,
        last_status_code, last_error, last_attempt_at, created_at, sequence)
      select $1, $3, ${newId('dlv', 'n')}, ${newId('evt', 'n')}, 'license.seat.acquired',
        case when n % 10 = 0 then 'failed' else 'succeeded' end, 1, case when n % 10 = 0 then 500 else 200 end,
        case when n % 10 = 0 then 'http_status' end, t, t, ${count} - n + 1
      from generate_series(1, ${count}) n, lateral (select clock_timestamp() - n * interval '1 second' as t) at`,
  },
];
