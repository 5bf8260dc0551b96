import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { newId } from '../../packages/server/src/ids/index.ts';
import { newLicenseKey } from '../../packages/server/src/licensing/licenses/license-key.ts';
import type { Account } from './accounts.ts';

/** What has to be stored for one organization. */
export interface StoredSeats {
  licenses: number;
  seatsPerLicense: number;
  /** How many seats of each license are in use, with sessions that no bench outlasts. */
  heldPerLicense: number;
  /** How many sessions of each license are over. */
  endedPerLicense: number;
  /** Names a license; by default as the service does. */
  nameLicense?: (number: number) => { id: string; key: string };
}

/** What is in the database now. */
export interface StoredLicense {
  id: string;
  key: string;
  account: Account;
  sessionIds: readonly string[];
}

/**
 * Writes licenses with their seats and sessions by statements over whole sets: a million sessions through the API would
 * take an hour. The rows are those that issuing and acquiring would have left.
 */
export async function storeSeats(databaseUrl: string, account: Account, wanted: StoredSeats): Promise<StoredLicense[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const stored: StoredLicense[] = [];
    while (stored.length < wanted.licenses) {
      const count = Math.min(CHUNK, wanted.licenses - stored.length);
      stored.push(...(await storeChunk(client, account, wanted, stored.length, count)));
    }
    return stored;
  } finally {
    await client.end();
  }
}

/** What an installation that has run for a while has: statistics, and no checkpoint due because of the seeding. */
export async function settle(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Licenses in one transaction. */
const CHUNK = 2_000;

async function storeChunk(
  client: pg.Client,
  account: Account,
  wanted: StoredSeats,
  from: number,
  count: number,
): Promise<StoredLicense[]> {
  const { organizationId, userId } = account;
  const name = wanted.nameLicense ?? (() => ({ id: newId('license'), key: newLicenseKey() }));
  const stored = Array.from({ length: count }, (_, number) => ({
    ...name(from + number),
    account,
    sessionIds: Array.from({ length: wanted.heldPerLicense }, () => newId('seatSession')),
  }));
  const ids = stored.map((license) => license.id);
  const held = stored.flatMap(({ id, sessionIds }) =>
    sessionIds.map((sessionId, index) => ({ id, sessionId, slot: index + 1 })),
  );
  const ended = ids.flatMap((id) => Array.from({ length: wanted.endedPerLicense }, () => ({ id })));
  await client.query('begin');
  await client.query(INSERT_LICENSES, [
    organizationId,
    ids,
    stored.map((license) => license.key),
    wanted.seatsPerLicense,
  ]);
  await client.query(INSERT_COUNTS, [organizationId, ids, wanted.heldPerLicense]);
  await client.query(INSERT_FREE_SLOTS, [organizationId, ids, wanted.heldPerLicense + 1, wanted.seatsPerLicense]);
  await client.query(INSERT_HELD_SLOTS, [
    organizationId,
    userId,
    held.map((slot) => slot.id),
    held.map((slot) => slot.slot),
    held.map((slot) => slot.sessionId),
    held.map(newHardwareId),
  ]);
  await client.query(INSERT_HISTORY, [
    organizationId,
    userId,
    ended.map((session) => session.id),
    ended.map(() => newId('seatSession')),
    ended.map(newHardwareId),
  ]);
  await client.query('commit');
  return stored;
}

function newHardwareId(): string {
  return `hw_${randomUUID().replaceAll('-', '')}`;
}

/** A week: silent sessions must outlast the bench. Heartbeats use the same timeout. */
const TIMEOUT_SECONDS = 604_800;

const INSERT_LICENSES = `
  insert into licenses (organization_id, id, key, product, max_seats, features, state, expires_at,
    session_timeout_seconds, created_at, updated_at)
  select $1, l.id, l.key, 'studio', $4,
    '{"ai_assistance": true, "cloud_workstations": false, "team_collaboration": true, "priority_support": false}',
    'active', clock_timestamp() + interval '365 days', ${TIMEOUT_SECONDS}, clock_timestamp(), clock_timestamp()
  from unnest($2::text[], $3::text[]) as l (id, key)`;

const INSERT_COUNTS = `
  insert into license_seat_counts (organization_id, license_id, taken) select $1, id, $3 from unnest($2::text[]) as l (id)`;

const INSERT_FREE_SLOTS = `
  insert into seat_slots (organization_id, license_id, slot)
  select $1, l.id, slot from unnest($2::text[]) as l (id), generate_series($3::int, $4::int) as slot`;

const INSERT_HELD_SLOTS = `
  insert into seat_slots (organization_id, license_id, slot, session_id, user_id, hardware_id, started_at,
    last_heartbeat, deadline, reap_at, token_issued_at, token_expires_at)
  select $1, s.license_id, s.slot, s.session_id, $2, s.hardware_id, n.t, n.t, n.t + interval '${TIMEOUT_SECONDS} seconds',
    n.t + interval '${TIMEOUT_SECONDS} seconds', n.t, n.t + interval '1 day'
  from unnest($3::text[], $4::int[], $5::text[], $6::text[]) as s (license_id, slot, session_id, hardware_id),
    (select clock_timestamp() as t) n`;

const INSERT_HISTORY = `
  insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, started_at, last_heartbeat, ended_at,
    status)
  select $1, s.id, s.license_id, $2, s.hardware_id, n.t - interval '2 hours', n.t - interval '1 hour',
    n.t - interval '1 hour', 'released'
  from unnest($3::text[], $4::text[], $5::text[]) as s (license_id, id, hardware_id),
    (select clock_timestamp() - random() * interval '30 days' as t) n`;
