import { arrays, count, many, milliseconds, one, statement } from '../../database/index.ts';
import type { RefusalCode } from '../errors.ts';

/** A group of similar refused acquires. Times in milliseconds since 1970. */
export interface RefusalRow {
  id: string;
  organization_id: string;
  license_id: string;
  code: RefusalCode;
  /** Null if a process counted more machines than it distinguishes. */
  user_id: string | null;
  hardware_id: string | null;
  count: number;
  first_at_ms: number;
  last_at_ms: number;
  active_seats: number;
  max_seats: number;
}

/** Selects RefusalRows. */
export const REFUSAL_COLUMNS = `r.id, r.organization_id, r.license_id, r.code, r.user_id, r.hardware_id, r.count::float8 as count,
  ${milliseconds('r.first_at')} as first_at_ms, ${milliseconds('r.last_at')} as last_at_ms, r.active_seats, r.max_seats`;

/**
 * Adds counts of refused acquires; returns their rows. The licenses are kept until the transaction ends, and deleted
 * ones get no rows, because their organization is being erased. Always in the same order, so that two processes may
 * wait for each other but never deadlock.
 */
export const upsertRefusals = statement({
  name: 'upsert_seat_refusals',
  parameters: {
    organizationId: 'text',
    refused: arrays({
      id: 'text',
      license_id: 'text',
      code: 'text',
      user_id: 'text | null',
      hardware_id: 'text | null',
      count: 'bigint',
      first_at_ms: 'float8',
      last_at_ms: 'float8',
      active_seats: 'integer',
      max_seats: 'integer',
    }),
  },
  returns: many<RefusalRow>(),
  sql: ({ organizationId, refused }) => `
    with given as materialized (select * from ${refused}), license as materialized (
      select l.id from licenses l
      where l.organization_id = ${organizationId} and l.id = any(array(select distinct license_id from given))
      order by l.id for key share
    )
    insert into seat_refusals as r (organization_id, id, license_id, code, user_id, hardware_id, count, first_at, last_at,
      active_seats, max_seats)
    select ${organizationId}, g.id, g.license_id, g.code, g.user_id, g.hardware_id, g.count,
      to_timestamp(g.first_at_ms / 1000), to_timestamp(g.last_at_ms / 1000), g.active_seats, g.max_seats
    from given g join license on license.id = g.license_id order by g.id
    on conflict (organization_id, id) do update set count = r.count + excluded.count,
      first_at = least(r.first_at, excluded.first_at), last_at = greatest(r.last_at, excluded.last_at),
      active_seats = case when excluded.last_at >= r.last_at then excluded.active_seats else r.active_seats end,
      max_seats = case when excluded.last_at >= r.last_at then excluded.max_seats else r.max_seats end
    returning ${REFUSAL_COLUMNS}`,
});

/** The last refusals of a user by a license. */
export const listRefusalsOfUser = statement({
  name: 'list_seat_refusals_of_user',
  parameters: { organizationId: 'text', licenseId: 'text', userId: 'text', limit: 'integer' },
  returns: many<RefusalRow>(),
  sql: ({ organizationId, licenseId, userId, limit }) => `
    select ${REFUSAL_COLUMNS} from seat_refusals r
    where r.organization_id = ${organizationId} and r.license_id = ${licenseId} and r.user_id = ${userId}
    order by r.last_at desc, r.id desc limit ${limit}`,
});

/** Those of these licenses and codes for which no process announced anything in the last minute. */
export const claimRefusalAnnouncements = statement({
  name: 'claim_seat_refusal_announcements',
  parameters: {
    organizationId: 'text',
    refused: arrays({ license_id: 'text', code: 'text', at_ms: 'float8' }),
  },
  returns: many<{ license_id: string; code: string }>(),
  sql: ({ organizationId, refused }) => `
    insert into seat_refusal_announcements as a (organization_id, license_id, code, announced_at)
    select ${organizationId}, refused.license_id, refused.code, to_timestamp(refused.at_ms / 1000) from ${refused}
    order by refused.license_id, refused.code
    on conflict (organization_id, license_id, code) do update set announced_at = excluded.announced_at
      where a.announced_at <= excluded.announced_at - interval '1 minute'
    returning a.license_id, a.code`,
});

/** Whether these organizations have refusals, or waits that ended, from before this time. */
export const listRefusalAges = statement({
  name: 'list_seat_refusal_ages',
  parameters: { organizationIds: 'text[]', before: 'timestamptz' },
  returns: many<{ organization_id: string; is_over: boolean }>(),
  sql: ({ organizationIds, before }) => `select o.id as organization_id, coalesce(least((
        select last_at from seat_refusals where organization_id = o.id order by last_at limit 1
      ), (
        select ended_at from seat_waits where organization_id = o.id and ended_at is not null order by ended_at limit 1
      )) < ${before}, false) as is_over
    from unnest(${organizationIds}) as o (id)`,
});

/** Deletes the oldest refusals from before this time; counts them. */
export const deleteOldRefusals = statement({
  name: 'delete_old_seat_refusals',
  parameters: { organizationId: 'text', before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, before, limit }) => `
    delete from seat_refusals where organization_id = ${organizationId} and id = any(array(
      select id from seat_refusals where organization_id = ${organizationId} and last_at < ${before}
      order by last_at limit ${limit}
    ))`,
});

/** How many acquires were refused in a window, of all organizations. */
export const countRefusals = statement({
  name: 'count_seat_refusals',
  parameters: { from: 'instant', until: 'instant' },
  returns: one<{ refusals: number }>(),
  sql: ({ from, until }) => `select coalesce(sum(count), 0)::float8 as refusals from seat_refusals
    where last_at >= ${from} and last_at < ${until}`,
});
