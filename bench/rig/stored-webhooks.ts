import pg from 'pg';
import { newId } from '../../packages/server/src/ids/index.ts';
import type { MasterKey } from '../../packages/server/src/security/index.ts';
import { encryptSecret, newSecret } from '../../packages/server/src/webhooks/signing/secrets.ts';

/** An endpoint in the database that wants every event. */
export interface StoredEndpoint {
  organizationId: string;
  id: string;
  secret: string;
}

/** Runs work on a connection of its own. */
export async function onDatabase<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Writes organizations that nobody is a member of, and returns their ids. */
export async function storeOrganizations(client: pg.Client, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('organization'));
  await client.query(INSERT_ORGANIZATIONS, [ids]);
  return ids;
}

/** Writes endpoints as the API would have left them, without its checks and limits. */
export async function storeEndpoints(
  client: pg.Client,
  masterKey: MasterKey,
  wanted: ReadonlyArray<{ organizationId: string; url: string }>,
): Promise<StoredEndpoint[]> {
  const rows = wanted.map(({ organizationId, url }) => {
    const [secret, secretId] = [newSecret(), newId('webhookSecret')];
    const sealed = encryptSecret(masterKey, secretId, secret);
    return {
      organizationId,
      url,
      id: newId('webhookEndpoint'),
      secret,
      secretId,
      sealed,
      destination: new URL(url).host,
    };
  });
  await client.query(INSERT_ENDPOINTS, [
    rows.map((row) => row.organizationId),
    rows.map((row) => row.id),
    rows.map((row) => row.url),
    rows.map((row) => row.destination),
    rows.map((row) => row.secretId),
    rows.map((row) => row.sealed),
  ]);
  return rows.map(({ organizationId, id, secret }) => ({ organizationId, id, secret }));
}

/** Announces so many events, spread over these organizations, in one transaction. Returns when that was committed. */
export async function storeWaitingEvents(
  client: pg.Client,
  organizationIds: readonly string[],
  count: number,
): Promise<number> {
  await client.query('begin');
  for (let from = 0; from < count; from += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, count - from) }, () => newId('event'));
    const organizations = ids.map((_, index) => organizationIds[(from + index) % organizationIds.length]);
    await client.query(INSERT_WAITING_EVENTS, [organizations, ids]);
  }
  const committedAtMs = performance.now();
  await client.query('commit');
  return committedAtMs;
}

/** Whether everything that was announced was delivered, and written. Found along indexes, so it may be asked often. */
export async function hasNothingToDeliver(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has_more: boolean }>(HAS_MORE);
  return rows[0]?.has_more === false;
}

/** How many deliveries there are, and why those that have not succeeded did not. */
export async function countDeliveries(client: pg.Client): Promise<{ all: number; others: string }> {
  const { rows } = await client.query<{ status: string; last_error: string | null; count: string }>(COUNT_DELIVERIES);
  const others = rows.filter((row) => row.status !== 'succeeded');
  return {
    all: rows.reduce((sum, row) => sum + Number(row.count), 0),
    others: others.map((row) => `${row.count} ${row.status} (${row.last_error ?? 'no error'})`).join(', '),
  };
}

/** Deliveries of some endpoints, spread evenly: so many that are over, and so many with an attempt that is overdue. */
export async function storeBacklog(
  client: pg.Client,
  endpoints: readonly StoredEndpoint[],
  { finished, overdue }: { finished: number; overdue: number },
): Promise<void> {
  const each = Math.ceil(overdue / endpoints.length);
  const portion = Math.ceil(CHUNK / endpoints.length);
  const keys = [endpoints.map((one) => one.organizationId), endpoints.map((one) => one.id)];
  for (let from = 0; from < finished / endpoints.length; from += portion) {
    const to = Math.min(from + portion, Math.ceil(finished / endpoints.length));
    await client.query(INSERT_FINISHED, [...keys, from + 1, to]);
  }
  for (let from = 0; from < each; from += portion) {
    await client.query(INSERT_OVERDUE, [...keys, from + 1, Math.min(from + portion, each)]);
  }
  await client.query(
    `update webhook_endpoint_states s set turn_at = p.due_at
     from (select organization_id, endpoint_id, min(due_at) as due_at from webhook_planned_attempts group by 1, 2) p
     where s.organization_id = p.organization_id and s.endpoint_id = p.endpoint_id`,
  );
}

/** Rows of one statement. */
const CHUNK = 10_000;

const INSERT_ORGANIZATIONS = `
  insert into organizations (id, name, slug, created_at, updated_at)
  select id, 'Bench', id, clock_timestamp(), clock_timestamp() from unnest($1::text[]) as o (id)`;

/** Created an hour ago, so that every event comes after them. */
const INSERT_ENDPOINTS = `
  with given as (
    select *, clock_timestamp() - interval '1 hour' as t
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[])
      as e (organization_id, id, url, destination, secret_id, secret)
  ), endpoints as (
    insert into webhook_endpoints (organization_id, id, url, events, created_at, updated_at)
    select organization_id, id, url, '{*}', t, t from given
  ), secrets as (
    insert into webhook_secrets (organization_id, endpoint_id, id, secret, created_at)
    select organization_id, id, secret_id, secret, t from given
  )
  insert into webhook_endpoint_states (organization_id, endpoint_id, status, destination)
  select organization_id, id, 'active', destination from given`;

/** As long as a seat that was taken. */
const OBJECT = `jsonb_build_object('session_id', 'sess_01kagt2m8xf3q9wz5r7e6b4c1d', 'license_id', 'lic_01kagt2m8xf3q9wz5r7e6b4c1e',
    'user_id', 'usr_01kagt2m8xf3q9wz5r7e6b4c1f', 'hardware_id', 'hw_0123456789abcdef0123456789abcdef', 'active_seats', 3,
    'max_seats', 10)`;
const TYPE = `'license.seat.acquired'`;

const INSERT_WAITING_EVENTS = `
  with given as (
    select *, clock_timestamp() as t from unnest($1::text[], $2::text[]) as e (organization_id, id)
  ), written as (
    insert into events (organization_id, id, type, created, object) select organization_id, id, ${TYPE}, t, ${OBJECT} from given
  )
  insert into unsent_events (organization_id, event_id, announced_at) select organization_id, id, t from given`;

const HAS_MORE = `
  select exists (select from unsent_events limit 1) or exists (select from webhook_queue limit 1)
    or exists (select from webhook_planned_attempts limit 1) as has_more`;

const COUNT_DELIVERIES = `select status, last_error, count(*) from webhook_deliveries group by 1, 2`;

/** The names sort by time, as real ones do: the first deliveries of all endpoints, then the second, and so on. */
const numbered = (prefix: string) => `'${prefix}_' || lpad(n::text, 10, '0') || right(e.id, 16)`;
const GIVEN = `
  select e.organization_id, e.id as endpoint_id, n, clock_timestamp() - interval '1 day' + n * interval '1 second' as t, e.id
  from generate_series($3::integer, $4::integer) as n, unnest($1::text[], $2::text[]) as e (organization_id, id)`;

/** Their events are theirs alone. */
const INSERT_FINISHED = `
  with e as (${GIVEN}), written as (
    insert into events (organization_id, id, type, created, object)
    select organization_id, ${numbered('evt_a')}, ${TYPE}, t, ${OBJECT} from e
  )
  insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, attempts, last_status_code,
    last_attempt_at, created_at)
  select organization_id, endpoint_id, ${numbered('dlv_a')}, ${numbered('evt_a')}, ${TYPE}, 'succeeded', 1, 200, t, t from e`;

const INSERT_OVERDUE = `
  with e as (${GIVEN}), written as (
    insert into events (organization_id, id, type, created, object)
    select organization_id, ${numbered('evt_b')}, ${TYPE}, t, ${OBJECT} from e
  ), planned as (
    insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
    select organization_id, endpoint_id, ${numbered('att_b')}, ${numbered('dlv_b')}, 'scheduled', 1, t from e
  )
  insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, next_attempt_id,
    next_attempt_at, created_at)
  select organization_id, endpoint_id, ${numbered('dlv_b')}, ${numbered('evt_b')}, ${TYPE}, 'pending', ${numbered('att_b')}, t, t
  from e`;
