import { many, one, serviceTime, serviceTimeOnce, statement, wallTime } from '../../database/index.ts';

/** Counts an organization's seats: those of the licenses that can be used now, and those in use. */
export const countSeats = statement({
  name: 'count_usage_seats',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint' },
  returns: one<{ included: number; used: number }>(),
  sql: ({ organizationId, clockOffsetMs }) => `select
      (select coalesce(sum(l.max_seats), 0)::bigint from licenses l
        where l.organization_id = ${organizationId} and l.state = 'active'
          and l.expires_at > (select ${wallTime(clockOffsetMs)})) as included,
      (select count(*) from seat_slots s, service_clock c
        where s.organization_id = ${organizationId} and s.session_id is not null
          and s.deadline > ${serviceTime(clockOffsetMs)}) as used`,
});

/**
 * Counts the seats of these organizations, like `countSeats` for one. Taken seats are counted per license; only those
 * that have just timed out are looked up.
 */
export const listSeatsOfOrganizations = statement({
  name: 'list_seats_of_organizations',
  parameters: { organizationIds: 'text[]' },
  returns: many<{ organization_id: string; included: number; used: number }>(),
  sql: ({ organizationIds }) => `
    select l.organization_id,
      coalesce(sum(l.max_seats) filter (
        where l.state = 'active' and l.expires_at > ${wallTime('o.clock_offset_ms')}), 0)::bigint as included,
      sum((select n.taken from license_seat_counts n
          where n.organization_id = l.organization_id and n.license_id = l.id)
        - (select count(*) from seat_slots s
        where s.organization_id = l.organization_id and s.license_id = l.id and s.reap_at > '-infinity'
          and s.reap_at <= ${serviceTimeOnce('o.clock_offset_ms')}
          and s.deadline <= ${serviceTime('o.clock_offset_ms')}))::bigint as used
    from licenses l join organizations o on o.id = l.organization_id cross join service_clock c
    where l.organization_id = any(${organizationIds})
    group by l.organization_id`,
});

/**
 * Licenses whose counts of taken seats or waiting machines differ from the rows, because acquires are decided by these counts; and
 * lines in which a machine was overtaken.
 */
export const listSeatFaults = statement({
  name: 'list_seat_faults',
  returns: many<{ license_id: string; fault: string }>(),
  sql: () => `
    select n.license_id,
      format('%s seats are counted as taken, %s hold a session', n.taken, count(s.session_id)) as fault
    from license_seat_counts n left join seat_slots s
      on s.organization_id = n.organization_id and s.license_id = n.license_id and s.session_id is not null
    group by n.organization_id, n.license_id, n.taken having n.taken <> count(s.session_id)
    union all
    select n.license_id, format('%s machines are counted as waiting, %s wait', n.waiting, count(w.id))
    from license_seat_counts n left join seat_waits w
      on w.organization_id = n.organization_id and w.license_id = n.license_id and w.ended_at is null
    group by n.organization_id, n.license_id, n.waiting having n.waiting <> count(w.id)
    union all
    select w.license_id, format('a seat is reserved for %s but not for %s, which came before', w.id, b.id)
    from seat_waits w join seat_waits b
      on b.organization_id = w.organization_id and b.license_id = w.license_id and b.ended_at is null
    where w.ended_at is null and w.is_reserved and not b.is_reserved and b.place < w.place
    limit 100`,
});
