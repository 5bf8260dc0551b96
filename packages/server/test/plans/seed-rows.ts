import pg from 'pg';
import { SEED_OF_ACCOUNTS } from './seed-account-rows.ts';
import { SEED_OF_BILLING } from './seed-billing-rows.ts';
import { SEED_OF_METHODS } from './seed-method-rows.ts';
import { SEED_OF_SALES } from './seed-sales-rows.ts';
import { SEED_OF_USAGE } from './seed-usage-rows.ts';
import { ago, hash, id, inLargest, ORGANIZATIONS, organizationOf, USERS, userOf } from './seed-values.ts';
import { SEED_OF_WEBHOOKS } from './seed-webhook-rows.ts';

/**
 * The sizes of the tables: the largest as in an installation that is some years old, the others large enough to need an
 * index.
 */
const LICENSES = inLargest(100_000);
const SLOTS_OF_A_LICENSE = 3;
const ENDED_SESSIONS = inLargest(1_000_000);
const EVENTS = inLargest(1_000_000);
const REFUSALS = inLargest(500_000);
const PROJECTS = 30_000;
const LOGINS_OF_THE_BUSIEST = 5_000;

/** Seats of the busiest license: the most rows that are ever sorted for one license. */
export const SEATS_OF_THE_BUSIEST = 1_000;

/** Owners of a third of all rows, so that one organization's share of a table is not small. */
export interface Busiest {
  organizationId: string;
  userId: string;
}

/**
 * Fills a migrated database with set-based SQL, a million rows in the largest tables, and analyzes it for the planner.
 */
export async function seedRows(databaseUrl: string, busiest: Busiest): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // The rows are consistent with each other. Checking a million of them one by one would take longer than creating
    // them.
    await client.query(
      "set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'",
    );
    const indexes = await dropIndexes(client);
    for (const statement of [
      ...SEED,
      ...SEED_OF_ACCOUNTS,
      ...SEED_OF_WEBHOOKS,
      ...SEED_OF_BILLING,
      ...SEED_OF_SALES,
      ...SEED_OF_METHODS,
      ...SEED_OF_USAGE,
    ]) {
      await client.query(inOrganizationOf(statement, busiest));
    }
    for (const definition of indexes) {
      await client.query(definition);
    }
    // As autovacuum would sooner or later, so that it is not left to chance which scans can skip the table.
    await client.query('vacuum analyze');
    await keepCounts(client);
  } finally {
    await client.end();
  }
}

/**
 * Building an index over existing rows is far faster than updating it row by row. Returns the statements that recreate
 * them.
 */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(c.oid) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace and not i.indisprimary
        and not exists (select 1 from pg_constraint k where k.conindid = c.oid)`,
  );
  for (const { name } of rows) {
    await client.query(`drop index ${name}`);
  }
  return rows.map((row) => row.definition);
}

/** Plans are made for the seeded rows, even if the requests take long and have emptied a table meanwhile. */
async function keepCounts(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  for (const { name } of rows) {
    await client.query(`alter table ${name} set (autovacuum_enabled = false)`);
  }
}

function inOrganizationOf(statement: string, { organizationId, userId }: Busiest): string {
  return statement.replaceAll(':organization', `'${organizationId}'`).replaceAll(':user', `'${userId}'`);
}

/** A third of the busiest organization's sessions belong to its first license. */
const licenseOf = (n: string) =>
  `case when ${n} % 3 = 0 and ${n} % 2 = 0 then ${id('lic', '0')} else ${id('lic', `${n} % ${LICENSES}`)} end`;
/** Every fourth session has one of a hundred busy projects. */
const metadataOf = (n: string) =>
  `case when ${n} % 4 = 0 then jsonb_build_object('project_id', ${id('proj', `${n} % 100 * 3`)}) end`;
const machine = (n: string) => `'hw_' || lpad(to_hex((${n}) % 50000), 32, '0')`;

const SEED: readonly string[] = [
  `insert into organizations (id, name, slug, clock_offset_ms, created_at, updated_at)
    select ${id('org', 'n')}, 'Organization ' || n, 'seeded-' || n, case when n < 3 then 3600000 else 0 end, ${ago('n')}, ${ago('n')}
    from generate_series(0, ${ORGANIZATIONS - 1}) n`,
  `insert into users (id, email, name, password_hash, created_at, updated_at)
    select ${id('usr', 'n')}, 'user' || n || '@example.com', 'User ' || n, 'x', ${ago('n')}, ${ago('n')}
    from generate_series(0, ${USERS - 1}) n`,
  `insert into memberships (organization_id, user_id, user_name, role, created_at)
    select ${organizationOf('n')}, ${id('usr', 'n')}, 'User ' || n, 'member', ${ago('n')} from generate_series(0, ${USERS - 1}) n`,
  `insert into login_sessions (user_id, id, organization_id, created_at, ends_at, last_seen_at)
    select ${id('usr', 'n')}, ${id('login', 'n')}, ${organizationOf('n')}, ${ago('n * 100')}, ${ago('n * 100 - 7776000')}, ${ago('n * 100')}
    from generate_series(0, ${USERS - 1}) n`,
  `insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, created_at, expires_at)
    select ${hash('access', 'n')}, 'session', ${id('usr', 'n')}, ${organizationOf('n')}, ${id('login', 'n')}, ${ago('n * 30')}, ${ago('n * 30 - 3600')}
    from generate_series(0, ${USERS - 1}) n`,
  `insert into refresh_tokens (token_hash, user_id, login_session_id, created_at, expires_at, used_at, answer)
    select ${hash('refresh', 'n')}, ${id('usr', 'n')}, ${id('login', 'n')}, ${ago('n * 30')}, ${ago('n * 30 - 2592000')},
      case when n % 2 = 0 then ${ago('n * 29')} end, case when n % 1000 = 0 then '\\x00'::bytea end
    from generate_series(0, ${USERS - 1}) n`,
  // A script logs in again for every run, and refreshes occasionally.
  `insert into login_sessions (user_id, id, organization_id, created_at, ends_at, last_seen_at)
    select :user, ${id('login', `1000000 + n`)}, :organization, ${ago('n * 1000')}, ${ago('n * 1000 - 7776000')}, ${ago('n * 1000')}
    from generate_series(0, ${LOGINS_OF_THE_BUSIEST - 1}) n`,
  `insert into refresh_tokens (token_hash, user_id, login_session_id, created_at, expires_at, used_at)
    select ${hash('script', `n * 10 + r`)}, :user, ${id('login', `1000000 + n`)}, ${ago('n * 1000')}, ${ago('n * 1000 - 2592000')},
      case when r < 4 then ${ago('n * 999')} end
    from generate_series(0, ${LOGINS_OF_THE_BUSIEST - 1}) n, generate_series(0, 4) r`,
  `insert into one_time_tokens (token_hash, purpose, user_id, created_at, expires_at, spent_at)
    select ${hash('one time', 'n')}, case n % 2 when 0 then 'reset_password' else 'verify_email' end, ${id('usr', 'n')},
      ${ago('n * 30')}, ${ago('n * 30 - 3600')}, case when n % 3 = 0 then ${ago('n * 30')} end
    from generate_series(0, ${USERS - 1}) n`,
  `insert into password_reset_requests (id, email, created_at)
    select ${id('reset', 'n')}, 'user' || n || '@example.com', ${ago('100000 - n')} from generate_series(0, 4999) n`,
  `insert into api_tokens (organization_id, id, user_id, name, prefix, scopes, created_at)
    select ${organizationOf('n')}, ${id('tok', 'n')}, ${userOf('n')}, 'token ' || n, 'svc_live_abcd', '{read:org}', ${ago('n')}
    from generate_series(0, ${USERS - 1}) n`,
  `insert into idempotency_keys (organization_id, user_id, route, key, request_hash, status, answer, created_at)
    select ${organizationOf('n')}, ${userOf('n')}, 'POST /v1/licenses/acquire', 'key ' || n, '\\x00', 0, '\\x00', ${ago('n')}
    from generate_series(0, ${USERS - 1}) n`,
  `insert into licenses (organization_id, id, key, product, max_seats, features, state, expires_at, created_at, updated_at)
    select ${organizationOf('n')}, ${id('lic', 'n')}, 'SEED0-00000-00000-' || lpad(n::text, 6, '0'),
      (array['studio', 'render', 'draw'])[1 + n % 3], case n when 0 then ${SEATS_OF_THE_BUSIEST} else ${SLOTS_OF_A_LICENSE} end,
      '{"ai_assistance": true}', case n % 50 when 0 then 'suspended' when 1 then 'revoked' else 'active' end,
      ${ago('n * 300 - 86400 * 400')}, ${ago('n')}, ${ago('n')}
    from generate_series(0, ${LICENSES - 1}) n`,
  // Licenses that expired long ago have been announced.
  `update licenses set expired_announced_for = expires_at, expiring_announced_for = expires_at
    where expires_at < clock_timestamp() + interval '6 days'`,
  `insert into license_seat_counts (organization_id, license_id, taken)
    select organization_id, id, case when max_seats = ${SEATS_OF_THE_BUSIEST} then max_seats - 10 else 1 end from licenses`,
  `insert into seat_slots (organization_id, license_id, slot, session_id, user_id, hardware_id, metadata, started_at, last_heartbeat,
      deadline, reap_at, token_issued_at, token_expires_at)
    select l.organization_id, l.id, s, ${id('sess', `2000000 + row_number() over ()`)}, ${id('usr', 's')}, ${machine('s')}, ${metadataOf('s')},
      ${ago('s')}, ${ago('s')}, ${ago('s - 600')}, ${ago('s - 400')}, ${ago('s')}, ${ago('s - 86400')}
    from licenses l, generate_series(1, case when l.max_seats = ${SEATS_OF_THE_BUSIEST} then l.max_seats - 10 else 1 end) s`,
  `insert into seat_slots (organization_id, license_id, slot)
    select organization_id, id, s from licenses, generate_series(2, max_seats) s
    where max_seats = ${SLOTS_OF_A_LICENSE} or s > max_seats - 10`,
  // Many machines are offline, and their deadlines are as promised.
  `update seat_slots set offline_until = deadline, offline_away_ms = (select away_ms from service_clock)
    where session_id is not null and slot = 1`,
  `insert into request_records (id, at, method, route, status, duration_ms, organization_id, user_id)
    select ${id('req', 'n')}, ${ago('n')}, 'GET', '/v1/me', 200, 1, ${organizationOf('n')}, ${userOf('n')}
    from generate_series(0, ${REFUSALS - 1}) n`,
  `insert into seat_refusals (organization_id, id, license_id, code, user_id, hardware_id, count, first_at, last_at, active_seats,
      max_seats)
    select ${organizationOf('n')}, ${id('ref', 'n')}, ${licenseOf('n')}, case when n % 10 = 0 then 'license_expired' else 'no_seats_available' end,
      ${userOf('n')}, ${machine('n')}, 1, ${ago('n * 5')}, ${ago('n * 5')}, 3, 3
    from generate_series(0, ${REFUSALS - 1}) n`,
  `insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, metadata, started_at, last_heartbeat, ended_at, status)
    select ${organizationOf('n')}, ${id('sess', 'n')}, ${licenseOf('n')}, ${userOf('n')}, ${machine('n')}, ${metadataOf('n')},
      ${ago('n * 20')}, ${ago('n * 20 - 500 - n % 700')}, ${ago('n * 20 - 1300')}, case n % 20 when 0 then 'timed_out' else 'released' end
    from generate_series(0, ${ENDED_SESSIONS - 1}) n`,
  `insert into events (organization_id, id, type, created, object)
    select ${organizationOf('n')}, ${id('evt', 'n')}, case when n % 5000 = 0 then 'license.expired' when n % 2 = 0
      then 'license.seat.acquired' else 'license.seat.released' end, ${ago('n * 20')}, '{}'
    from generate_series(0, ${EVENTS - 1}) n`,
  `insert into projects (organization_id, id, name, slug, status, created_at, updated_at)
    select ${organizationOf('n')}, ${id('proj', 'n')}, 'Project ' || n, 'project-' || n,
      case n % 100 when 0 then 'archived' else 'active' end, ${ago('n * 200')}, ${ago('n * 100')}
    from generate_series(0, ${PROJECTS - 1}) n`,
  `insert into project_usage_days (organization_id, project_id, day, sessions, seat_seconds)
    select ${organizationOf('p')}, ${id('proj', 'p')}, date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC'
      - d * interval '1 day', 1, 1 from generate_series(0, 299, 3) p, generate_series(0, 1500) d`,
  // An organization has at most a hundred open invitations, and nobody sends more than a hundred a day.
  `insert into invitations (organization_id, id, email, role, invited_by, token_hash, created_at, expires_at, accepted_at, revoked_at)
    select ${organizationOf('n')}, ${id('invite', 'n')}, 'invited' || n || '@example.com', 'member', ${userOf('n')},
      ${hash('invitation', 'n')}, ${ago('n * 600')}, ${ago('n * 600 - 604800')},
      case when n % 2000 <> 0 and n % 2 = 0 then ${ago('n * 600 - 600')} end, case when n % 2 = 1 then ${ago('n * 600 - 600')} end
    from generate_series(0, ${USERS - 1}) n`,
  `insert into audit_entries (organization_id, id, action, actor_user_id, credential_kind, target_type, target_id, created_at)
    select ${organizationOf('n')}, ${id('audit', 'n')}, case when n % 1000 = 0 then 'member.removed' else 'project.updated' end,
      ${userOf('n')}, 'session', 'member', ${id('usr', `n % ${USERS}`)}, ${ago('n * 20')}
    from generate_series(0, ${USERS * 3 - 1}) n`,
];
