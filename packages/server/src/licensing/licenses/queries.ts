import type { FeatureValue } from '../../billing/index.ts';
import { maybeOne, milliseconds, serviceTime, serviceTimeOnce, statement, wallTime } from '../../database/index.ts';
import type { Tier } from '../../organizations/index.ts';

/** A license with its count of active seats. Times in milliseconds since 1970. */
export interface ListedLicenseRow {
  id: string;
  key: string;
  product: string;
  max_seats: number;
  active_seats: number;
  features: Record<string, FeatureValue>;
  /** Its subscription; null if the operator issued it. */
  subscription_id: string | null;
  state: 'active' | 'suspended' | 'revoked';
  created_at_ms: number;
  expires_at_ms: number;
  /** The organization's clock. */
  now_ms: number;
}

/** Selects ListedLicenseRows of an organization. Whether a license has expired is never stored: the query compares. */
export function selectLicenses(of: { organizationId: string; clockOffsetMs: string }): string {
  return `select l.id, l.key, l.product, l.max_seats, l.subscription_id, l.state, l.features,
      ${milliseconds('l.created_at')} as created_at_ms, ${milliseconds('l.expires_at')} as expires_at_ms,
      ${milliseconds(wallTime(of.clockOffsetMs))} as now_ms,
      (n.taken - (select count(*)::int from seat_slots s
        where s.organization_id = l.organization_id and s.license_id = l.id and s.reap_at > '-infinity'
          and s.reap_at <= ${serviceTimeOnce(of.clockOffsetMs)}
          and s.deadline <= ${serviceTime(of.clockOffsetMs)})) as active_seats
    from licenses l
    join license_seat_counts n on n.organization_id = l.organization_id and n.license_id = l.id
    cross join service_clock c
    where l.organization_id = ${of.organizationId}`;
}

export const findLicense = statement({
  name: 'find_license',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', id: 'text' },
  returns: maybeOne<ListedLicenseRow>(),
  sql: ({ id, ...of }) => `${selectLicenses(of)} and l.id = ${id}`,
});

/** Inserts an active license with all its seats free. */
export const insertLicense = statement({
  name: 'insert_license',
  parameters: {
    organizationId: 'text',
    id: 'text',
    key: 'text',
    product: 'text',
    maxSeats: 'integer',
    features: 'jsonb',
    expiresAt: 'timestamptz',
    heartbeatIntervalSeconds: 'integer | null',
    sessionTimeoutSeconds: 'integer | null',
    clockOffsetMs: 'bigint',
    tier: 'text',
    policy: 'jsonb',
    allowedUsers: 'text[] | null',
    externalId: 'text | null',
    metadata: 'jsonb',
  },
  sql: (of) => `
    with counted as (
      insert into license_seat_counts (organization_id, license_id) values (${of.organizationId}, ${of.id})
    ), slots as (
      insert into seat_slots (organization_id, license_id, slot)
      select ${of.organizationId}, ${of.id}, generate_series(1, ${of.maxSeats})
    )
    insert into licenses (organization_id, id, key, product, max_seats, features, state, expires_at,
      heartbeat_interval_seconds, session_timeout_seconds, created_at, updated_at, tier, policy,
      allowed_users, external_id, metadata)
    values (${of.organizationId}, ${of.id}, ${of.key}, ${of.product}, ${of.maxSeats}, ${of.features}, 'active',
      ${of.expiresAt}, ${of.heartbeatIntervalSeconds}, ${of.sessionTimeoutSeconds},
      ${wallTime(of.clockOffsetMs)}, ${wallTime(of.clockOffsetMs)}, ${of.tier}, ${of.policy},
      ${of.allowedUsers}, ${of.externalId}, ${of.metadata})`,
});

/**
 * Every transaction that changes the license, or takes or ends one of its seats, holds this lock. A change of the
 * license is counted immediately, like those of its seats.
 */
export const lockLicense = statement({
  name: 'lock_license',
  parameters: { organizationId: 'text', id: 'text' },
  sql: ({ organizationId, id }) =>
    `update license_seat_counts set changes = changes + 1 where organization_id = ${organizationId} and license_id = ${id}`,
});

export const updateLicenseState = statement({
  name: 'update_license_state',
  parameters: { organizationId: 'text', id: 'text', state: 'text', clockOffsetMs: 'bigint' },
  sql: ({ organizationId, id, state, clockOffsetMs }) => `
    update licenses set state = ${state}, updated_at = ${wallTime(clockOffsetMs)}
    where organization_id = ${organizationId} and id = ${id}`,
});

export const updateLicenseExpiry = statement({
  name: 'update_license_expiry',
  parameters: { organizationId: 'text', id: 'text', expiresAt: 'timestamptz', clockOffsetMs: 'bigint' },
  sql: ({ organizationId, id, expiresAt, clockOffsetMs }) => `
    update licenses set expires_at = ${expiresAt}, updated_at = ${wallTime(clockOffsetMs)}
    where organization_id = ${organizationId} and id = ${id}`,
});

/**
 * Adds seats up to the new number, and removes the free ones beyond it. A seat in use beyond it is removed when its session
 * ends.
 */
export const updateLicenseSeats = statement({
  name: 'update_license_seats',
  parameters: { organizationId: 'text', id: 'text', maxSeats: 'integer', clockOffsetMs: 'bigint' },
  sql: ({ organizationId, id, maxSeats, clockOffsetMs }) => `
    with added as (
      insert into seat_slots (organization_id, license_id, slot)
      select ${organizationId}, ${id}, generate_series(1, ${maxSeats})
      on conflict (organization_id, license_id, slot) do nothing
    ), removed as (
      delete from seat_slots
      where organization_id = ${organizationId} and license_id = ${id} and slot > ${maxSeats} and session_id is null
    )
    update licenses set max_seats = ${maxSeats}, updated_at = ${wallTime(clockOffsetMs)}
    where organization_id = ${organizationId} and id = ${id}`,
});

/** The best tier of the licenses that the operator issued; null if there are none. Revoked licenses do not count. */
export const findBestLicenseTier = statement({
  name: 'find_best_license_tier',
  parameters: { organizationId: 'text' },
  returns: maybeOne<{ tier: Tier | null }>(),
  sql: ({ organizationId }) => {
    const has = (tier: Tier) => `exists (
      select from licenses where organization_id = ${organizationId} and tier = '${tier}' and state <> 'revoked')`;
    return `select case when ${has('enterprise')} then 'enterprise' when ${has('pro')} then 'pro'
      when ${has('free')} then 'free' end as tier`;
  },
});

/** Whether a license is for this user, by the same rule as acquire. */
export const findIsAllowed = statement({
  name: 'find_license_is_allowed',
  parameters: { organizationId: 'text', id: 'text', userId: 'text' },
  returns: maybeOne<{ is_allowed: boolean }>(),
  sql: ({ organizationId, id, userId }) => `
    select coalesce(${userId} = any(allowed_users), true) as is_allowed from licenses
    where organization_id = ${organizationId} and id = ${id}`,
});

/** The license with this key, in any organization. Only for staff. */
export const findLicenseByKey = statement({
  name: 'find_license_by_key',
  parameters: { key: 'text' },
  returns: maybeOne<{ organization_id: string; id: string }>(),
  sql: ({ key }) => `select organization_id, id from licenses where key = ${key} order by id limit 1`,
});

/** The organization of a license. Only for the operator. */
export const findLicenseOwner = statement({
  name: 'find_license_owner',
  parameters: { id: 'text' },
  returns: maybeOne<{ organization_id: string }>(),
  sql: ({ id }) => `select organization_id from licenses where id = ${id}`,
});

/** The organization's license with this external ID. */
export const findLicenseByExternalId = statement({
  name: 'find_license_by_external_id',
  parameters: { organizationId: 'text', externalId: 'text' },
  returns: maybeOne<{ id: string }>(),
  sql: ({ organizationId, externalId }) =>
    `select id from licenses where organization_id = ${organizationId} and external_id = ${externalId}`,
});
