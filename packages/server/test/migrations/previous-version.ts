import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { onTestFinished } from 'vitest';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const LAST_PREVIOUS_MIGRATION = '0004';

/** A folder with the migrations of the previous version and these files, for the running test. */
export async function copyPreviousMigrations(more: Readonly<Record<string, string>> = {}): Promise<URL> {
  const folder = await copyMigrations((number) => number <= LAST_PREVIOUS_MIGRATION);
  await Promise.all(Object.entries(more).map(([name, text]) => writeFile(new URL(name, folder), text)));
  return folder;
}

/** A folder with the migrations before this one, for the running test. */
export function copyMigrationsBefore(number: string): Promise<URL> {
  return copyMigrations((each) => each < number);
}

async function copyMigrations(isWanted: (number: string) => boolean): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const names = (await readdir(MIGRATIONS)).filter((name) => isWanted(name.slice(0, 4)));
  await Promise.all(names.map((name) => copyFile(new URL(name, MIGRATIONS), join(folder, name))));
  return pathToFileURL(`${folder}/`);
}

/** Values that the previous version accepted as metadata.project_id, which meant nothing to it. */
export const OLD_PROJECT_IDS: readonly unknown[] = [
  // Random, so that no compression makes it short enough for an index row.
  randomBytes(3_072).toString('base64'),
  `proj_${randomBytes(3_072).toString('base64')}`,
  7,
  null,
  { name: 'a film' },
  'a film',
];

/** Rows of every table that later migrations change, as the previous version wrote them. */
export async function fillAsPreviousVersion(client: pg.Client): Promise<void> {
  await client.query(FILL);
  for (const [n, projectId] of OLD_PROJECT_IDS.entries()) {
    const metadata = JSON.stringify({ project_id: projectId });
    await client.query(
      `insert into seat_slots (organization_id, license_id, slot, session_id, user_id, hardware_id, metadata, started_at,
          last_heartbeat, deadline, reap_at, token_issued_at, token_expires_at)
        values ('org_1', 'lic_1', $1::int, 'held_' || $1::int, 'usr_1', 'hw_' || $1::int, $2, '2026-01-01Z', '2026-01-01Z',
          '2026-01-02Z', '2026-01-02Z', '2026-01-01Z', '2026-01-02Z')`,
      [n + 1, metadata],
    );
    await client.query(
      `insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, metadata, started_at,
          last_heartbeat, ended_at, status)
        values ('org_1', 'ended_' || $1::int, 'lic_1', 'usr_1', 'hw_' || $1::int, $2, '2026-01-01Z', '2026-01-01Z',
          '2026-01-01Z', 'released')`,
      [n + 1, metadata],
    );
  }
}

const FILL = `
  insert into users (id, email, name, password_hash, failed_logins, locked_until, created_at, updated_at) values
    ('usr_1', 'ada@example.com', 'Ada', 'x', 0, null, '2026-01-01Z', '2026-01-01Z'),
    ('usr_2', 'grace@example.com', 'Grace', 'x', 9, '2026-01-03Z', '2026-01-01Z', '2026-01-01Z');
  insert into organizations (id, name, slug, created_at, updated_at) values
    ('org_1', 'Two', 'two', '2026-01-01Z', '2026-01-01Z'), ('org_2', 'One', 'one', '2026-01-01Z', '2026-01-01Z'),
    ('org_3', 'None', 'none', '2026-01-01Z', '2026-01-01Z');
  insert into memberships (organization_id, user_id, role, created_at) values
    ('org_1', 'usr_1', 'admin', '2026-01-01Z'), ('org_1', 'usr_2', 'member', '2026-01-01Z'),
    ('org_2', 'usr_2', 'admin', '2026-01-01Z');
  insert into login_sessions (user_id, id, organization_id, created_at, ends_at, ended_at) values
    ('usr_1', 'login_1', 'org_1', '2026-01-01Z', '2026-04-01Z', null),
    ('usr_2', 'login_2', 'org_2', '2026-01-02Z', '2026-04-01Z', '2026-01-03Z');
  insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, scopes, created_at, expires_at) values
    ('\\x01', 'session', 'usr_1', 'org_1', 'login_1', null, '2026-01-01Z', '2026-01-01T01:00Z'),
    ('\\x02', 'api', 'usr_1', 'org_1', 'tok_1', '{read:org}', '2026-01-01Z', null);
  insert into refresh_tokens (token_hash, user_id, login_session_id, created_at, expires_at, used_at, answer) values
    ('\\x03', 'usr_1', 'login_1', '2026-01-01Z', '2026-01-31Z', '2026-01-01T01:00Z', '\\x00'),
    ('\\x04', 'usr_1', 'login_1', '2026-01-01T01:00Z', '2026-01-31Z', null, null);
  insert into api_tokens (organization_id, id, user_id, name, prefix, scopes, created_at, expires_at, revoked_at) values
    ('org_1', 'tok_1', 'usr_1', 'a token', 'svc_live_abcd', '{read:org}', '2026-01-01Z', null, null),
    ('org_1', 'tok_2', 'usr_1', 'another', 'svc_live_efgh', '{read:org}', '2026-01-01Z', '2026-02-01Z', '2026-01-02Z');
  insert into licenses (organization_id, id, key, product, max_seats, features, state, expires_at, created_at, updated_at)
    values ('org_1', 'lic_1', 'KEY', 'studio', 10, '{}', 'active', '2027-01-01Z', '2026-01-01Z', '2026-01-01Z');
  insert into license_seat_counts (organization_id, license_id, taken) values ('org_1', 'lic_1', 6);
  insert into seat_slots (organization_id, license_id, slot) select 'org_1', 'lic_1', n from generate_series(7, 10) n;
  insert into events (organization_id, id, type, created, object)
    values ('org_1', 'evt_1', 'license.seat.acquired', '2026-01-01Z', '{}');
  insert into idempotency_keys (organization_id, user_id, route, key, request_hash, status, answer, created_at)
    values ('org_1', 'usr_1', 'POST /v1/licenses/acquire', 'a key', '\\x00', 200, '\\x00', '2026-01-01Z');`;
