import { onDatabase } from './stored-webhooks.ts';

/** How much the large installation of the bench has. */
export interface CustomerCounts {
  organizations: number;
  /** Of each organization. */
  licensesEach: number;
}

/** Writes customers with a user and licenses each, as years of business leave them, and counts the tables for the planner. */
export function storeCustomers(databaseUrl: string, { organizations, licensesEach }: CustomerCounts): Promise<void> {
  return onDatabase(databaseUrl, async (client) => {
    // The rows fit each other; checking millions of references one by one would take longer than making them.
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    for (let from = 0; from < organizations; from += PORTION) {
      const range = [from, Math.min(from + PORTION, organizations) - 1];
      await client.query(INSERT_ORGANIZATIONS, range);
      await client.query(INSERT_USERS, range);
      await client.query(INSERT_MEMBERSHIPS, range);
      await client.query(INSERT_LICENSES, [...range, licensesEach]);
      await client.query(INSERT_SEAT_COUNTS, [...range, licensesEach]);
    }
    await client.query('vacuum analyze organizations, users, memberships, licenses, license_seat_counts');
  });
}

/** Small enough that an index grows in portions that stay in memory. */
const PORTION = 50_000;

const padded = (n: string) => `lpad((${n})::text, 26, '0')`;
/** Spread over three years. */
const created = (n: string) => `timestamptz '2024-01-01T00:00:00Z' + (${n}) * interval '90 seconds'`;

const INSERT_ORGANIZATIONS = `insert into organizations (id, name, slug, external_id, created_at, updated_at)
  select 'org_' || ${padded('n')}, 'Customer ' || n, 'customer-' || n, 'crm-' || n, ${created('n')}, ${created('n')}
  from generate_series($1::int, $2::int) n`;

/** Verified: accounts that never were are deleted after some days, with their organizations. */
const INSERT_USERS = `insert into users (id, email, name, password_hash, email_verified_at, created_at, updated_at)
  select 'usr_' || ${padded('n')}, 'user' || n || '@customer.example', 'User ' || n, 'x', ${created('n')}, ${created('n')},
    ${created('n')}
  from generate_series($1::int, $2::int) n`;

const INSERT_MEMBERSHIPS = `insert into memberships (organization_id, user_id, user_name, role, created_at)
  select 'org_' || ${padded('n')}, 'usr_' || ${padded('n')}, 'User ' || n, 'admin', ${created('n')}
  from generate_series($1::int, $2::int) n`;

/** Every fiftieth is suspended or revoked; a third have expired. */
const INSERT_LICENSES = `insert into licenses (organization_id, id, key, product, max_seats, features, state, external_id,
    expires_at, created_at, updated_at)
  select 'org_' || ${padded('n')}, 'lic_' || ${padded('n * $3::int + l')},
    'BENCH-' || lpad((n * $3::int + l)::text, 12, '0'), (array['studio', 'render', 'archive'])[1 + (n + l) % 3],
    5, '{"export": true}', case (n + l) % 100 when 0 then 'suspended' when 1 then 'revoked' else 'active' end,
    'contract-' || (n * $3::int + l), ${created('n + 700000')}, ${created('n')}, ${created('n')}
  from generate_series($1::int, $2::int) n, generate_series(0, $3::int - 1) l`;

const INSERT_SEAT_COUNTS = `insert into license_seat_counts (organization_id, license_id)
  select 'org_' || ${padded('n')}, 'lic_' || ${padded('n * $3::int + l')}
  from generate_series($1::int, $2::int) n, generate_series(0, $3::int - 1) l`;
