import { count, defineDueCheck, many, serviceTime, statement } from '../../database/index.ts';

/** The offline policy of a license, and how many seats are offline now. */
export interface OfflineTermsRow {
  license_id: string;
  max_offline_seconds: number;
  min_online_seats: number;
  offline_seats: number;
}

/** Read under the locks of the licenses, and only if an offline seat is requested. */
export const listOfflineTerms = statement({
  name: 'list_offline_terms',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', licenseIds: 'text[]' },
  returns: many<OfflineTermsRow>(),
  sql: ({ organizationId, clockOffsetMs, licenseIds }) => `
    select l.id as license_id, ${policyInteger('max_offline_seconds')} as max_offline_seconds,
      ${policyInteger('min_online_seats')} as min_online_seats,
      (select count(*)::int from seat_slots s
        where s.organization_id = l.organization_id and s.license_id = l.id and s.offline_until is not null
          and s.session_id is not null and s.deadline > ${serviceTime(clockOffsetMs)}) as offline_seats
    from licenses l left join products p on p.key = l.product cross join service_clock c
    where l.organization_id = ${organizationId} and l.id = any(${licenseIds})`,
});

/** SQL: a number of a license's policy. The nearest level that sets it wins; without one it is 0. */
function policyInteger(field: 'max_offline_seconds' | 'min_online_seats'): string {
  return `coalesce((l.policy ->> '${field}')::int, (l.plan_policy ->> '${field}')::int, (p.policy ->> '${field}')::int, 0)`;
}

/** The maximum number of seats adjusted at a time. */
export const DEADLINES_AT_ONCE = 100;

/**
 * Resets the deadlines of offline seats to the promised times. Deadlines run on service time, which stands still in an
 * outage, but a seat without heartbeats is not affected by one. Reads the seats whose deadlines are from before the
 * last outage, and counts them. A seat that is being written is skipped until the next run, because waiting could cause
 * a deadlock.
 */
export const updateOfflineDeadlines = statement({
  name: 'update_offline_deadlines',
  returns: count(),
  sql: () => `
    update seat_slots s set deadline = least(s.deadline, late.promised), reap_at = least(s.reap_at, late.promised),
      offline_away_ms = late.away_ms
    from (
      select held.organization_id, held.license_id, held.slot, (select away_ms from service_clock) as away_ms,
        held.offline_until - (select away_ms from service_clock) * interval '1 millisecond' as promised
      from seat_slots held
      where held.offline_until is not null and held.offline_away_ms < (select away_ms from service_clock)
      -- In the index's order, so that it is used although a limit makes any other way look short.
      order by held.offline_away_ms limit ${DEADLINES_AT_ONCE}
      for update skip locked
    ) late
    where s.organization_id = late.organization_id and s.license_id = late.license_id and s.slot = late.slot`,
});

/** The total time that the service was down, in milliseconds. */
export const timeAway = defineDueCheck({ name: 'time_away', sql: () => 'select away_ms from service_clock' });
