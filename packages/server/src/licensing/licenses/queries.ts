import { type CompiledQuery, sql } from 'kysely';
import type { FeatureValue } from '../../billing/index.ts';
import { build, type Statement, serviceTime, serviceTimeOnce, wallTime, wallTimeOnce } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';
import type { Tier } from '../../organizations/index.ts';

/** A license with its count of active seats, as lists and reads need it. Times in milliseconds since 1970. */
export interface ListedLicenseRow {
  id: string;
  key: string;
  product: string;
  max_seats: number;
  active_seats: number;
  features: Record<string, FeatureValue>;
  /** The subscription that pays for it; null where the operator issued it. */
  subscription_id: string | null;
  state: 'active' | 'suspended' | 'revoked';
  created_at_ms: number;
  expires_at_ms: number;
  /** The organization's clock. */
  now_ms: number;
}

const milliseconds = (column: string) => sql.raw<number>(`floor(extract(epoch from ${column}) * 1000)::float8`);

const timeOf = (text: string) => sql<Date>`${text}::timestamptz`;

/** Licenses of one organization; whether one is expired is compared here, never stored. */
export function listLicenses(
  organizationId: string,
  offset: number,
  page: PageRequest,
): CompiledQuery<ListedLicenseRow> {
  const { filters } = page;
  const now = sql.raw<Date>(wallTimeOnce(String(Math.trunc(offset))));
  let query = selectLicenses(organizationId, offset).where(afterCursor(page, `l.${page.sort}`, 'l.id'));
  if (filters.status !== undefined) {
    query = query.where(statusIs(filters.status, now));
  }
  if (filters.product !== undefined) {
    query = query.where('l.product', '=', filters.product);
  }
  if (filters.expires_before !== undefined) {
    query = query.where('l.expires_at', '<', timeOf(filters.expires_before));
  }
  if (filters.created_after !== undefined) {
    query = query.where('l.created_at', '>', timeOf(filters.created_after));
  }
  if (filters.created_before !== undefined) {
    query = query.where('l.created_at', '<', timeOf(filters.created_before));
  }
  return query
    .orderBy(inOrder(page, `l.${page.sort}`, 'l.id'))
    .limit(page.limit + 1)
    .compile();
}

export function findLicense(organizationId: string, offset: number, id: string): CompiledQuery<ListedLicenseRow> {
  return selectLicenses(organizationId, offset).where('l.id', '=', id).compile();
}

function selectLicenses(organizationId: string, offset: number) {
  const over = sql.raw(serviceTime(String(Math.trunc(offset))));
  const due = sql.raw(serviceTimeOnce(String(Math.trunc(offset))));
  return build
    .selectFrom('licenses as l')
    .innerJoin('license_seat_counts as n', (join) =>
      join.onRef('n.organization_id', '=', 'l.organization_id').onRef('n.license_id', '=', 'l.id'),
    )
    .innerJoin('service_clock as c', (join) => join.onTrue())
    .where('l.organization_id', '=', organizationId)
    .select([
      'l.id',
      'l.key',
      'l.product',
      'l.max_seats',
      'l.subscription_id',
      sql<'active' | 'suspended' | 'revoked'>`l.state`.as('state'),
      sql<Record<string, FeatureValue>>`l.features`.as('features'),
      milliseconds('l.created_at').as('created_at_ms'),
      milliseconds('l.expires_at').as('expires_at_ms'),
      milliseconds(wallTime(String(Math.trunc(offset)))).as('now_ms'),
      sql<number>`(n.taken - (select count(*)::int from seat_slots s
        where s.organization_id = l.organization_id and s.license_id = l.id and s.reap_at > '-infinity'
          and s.reap_at <= ${due} and s.deadline <= ${over}))`.as('active_seats'),
    ]);
}

function statusIs(status: string, now: ReturnType<typeof sql.raw<Date>>) {
  switch (status) {
    case 'active':
      return sql<boolean>`l.state = 'active' and l.expires_at > ${now}`;
    case 'expired':
      return sql<boolean>`l.state = 'active' and l.expires_at <= ${now}`;
    default:
      return sql<boolean>`l.state = ${status}`;
  }
}

/** $1 organization, $2 id, $3 key, $4 product, $5 seats, $6 features, $7 expiry, $8 interval, $9 timeout, $10 offset, $11 tier. */
export const INSERT_LICENSE: Statement<never> = {
  name: 'insert_license',
  text: `
    with counted as (
      insert into license_seat_counts (organization_id, license_id) values ($1::text, $2::text)
    ), slots as (
      insert into seat_slots (organization_id, license_id, slot) select $1, $2, generate_series(1, $5::int)
    )
    insert into licenses (organization_id, id, key, product, max_seats, features, state, expires_at,
      heartbeat_interval_seconds, session_timeout_seconds, created_at, updated_at, tier)
    values ($1, $2, $3, $4, $5, $6::jsonb, 'active', $7::timestamptz, $8::int, $9::int,
      ${wallTime('$10::bigint')}, ${wallTime('$10::bigint')}, $11)`,
};

/** $1 organization, $2 license: held by whatever changes the license or takes or ends one of its seats. */
export const LOCK_LICENSE: Statement<{ license_id: string; taken: number }> = {
  name: 'lock_license',
  text: 'select license_id, taken from license_seat_counts where organization_id = $1 and license_id = $2 for update',
};

/** $1 organization, $2 license, $3 state, $4 offset. */
export const UPDATE_LICENSE_STATE: Statement<{ id: string }> = {
  name: 'update_license_state',
  text: `update licenses set state = $3, updated_at = ${wallTime('$4::bigint')}
    where organization_id = $1 and id = $2 returning id`,
};

/** $1 organization, $2 license, $3 expiry, $4 offset. */
export const UPDATE_LICENSE_EXPIRY: Statement<{ id: string }> = {
  name: 'update_license_expiry',
  text: `update licenses set expires_at = $3::timestamptz, updated_at = ${wallTime('$4::bigint')}
    where organization_id = $1 and id = $2 returning id`,
};

/**
 * Adds the seats up to the new number, and takes away the free ones beyond it; a seat in use beyond it vanishes when
 * its session ends. $1 organization, $2 license, $3 seats, $4 offset.
 */
export const UPDATE_LICENSE_SEATS: Statement<{ id: string }> = {
  name: 'update_license_seats',
  text: `
    with added as (
      insert into seat_slots (organization_id, license_id, slot)
      select $1::text, $2::text, generate_series(1, $3::int)
      on conflict (organization_id, license_id, slot) do nothing
    ), removed as (
      delete from seat_slots where organization_id = $1 and license_id = $2 and slot > $3 and session_id is null
    )
    update licenses set max_seats = $3, updated_at = ${wallTime('$4::bigint')}
    where organization_id = $1 and id = $2 returning id`,
};

/** $1 organization: the best tier of the licenses from the operator; revoked ones give none. */
export const FIND_BEST_LICENSE_TIER: Statement<{ tier: Tier }> = {
  name: 'find_best_license_tier',
  text: `select tier from licenses where organization_id = $1 and tier is not null and state <> 'revoked'
    order by array_position(array['enterprise', 'pro', 'free'], tier) limit 1`,
};

/** $1 organization: its clock's offset, or nothing when there is no such organization. */
export const FIND_CLOCK_OFFSET: Statement<{ clock_offset_ms: number }> = {
  name: 'find_clock_offset',
  text: 'select clock_offset_ms from organizations where id = $1',
};

/** $1 license: whose it is. Only the operator asks without naming the organization. */
export const FIND_LICENSE_OWNER: Statement<{ organization_id: string }> = {
  name: 'find_license_owner',
  text: 'select organization_id from licenses where id = $1',
};
