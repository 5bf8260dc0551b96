import {
  anyRow,
  arrays,
  count,
  defineDueCheck,
  many,
  maybeOne,
  one,
  serviceTime,
  serviceTimeOnce,
  statement,
} from '../../database/index.ts';

/** A seat that the reaper has to check. */
export interface DueSlotRow {
  organization_id: string;
  session_id: string;
  clock_offset_ms: number;
  /** False if a heartbeat came in the meantime; the seat is then due again at its new deadline. */
  is_over: boolean;
}

const DUE_ON_TIME = `seat_slots s
    where s.session_id is not null and s.reap_at <= ${serviceTimeOnce('0')}
      and not exists (select from organizations o where o.id = s.organization_id and o.clock_offset_ms > 0)`;
const DUE_AHEAD = `organizations o
    join license_seat_counts n on n.organization_id = o.id
    join seat_slots s on s.organization_id = n.organization_id and s.license_id = n.license_id
    where o.clock_offset_ms > 0 and s.session_id is not null and s.reap_at > '-infinity'
      and s.reap_at <= ${serviceTime('o.clock_offset_ms')}`;

export const seatsAreDue = defineDueCheck({
  name: 'seats_are_due',
  sql: () =>
    anyRow(`(select s.slot from ${DUE_ON_TIME} order by s.reap_at limit 1)
      union all (select s.slot from service_clock c, ${DUE_AHEAD} limit 1)`),
});

/** Due seats of organizations on real time, which is all of production: one walk along the index. */
export const listDueSlots = statement({
  name: 'list_due_slots',
  parameters: { limit: 'integer' },
  returns: many<DueSlotRow>(),
  sql: ({ limit }) => `
    select s.organization_id, s.session_id, 0 as clock_offset_ms, s.deadline <= ${serviceTime('0')} as is_over
    from service_clock c, ${DUE_ON_TIME}
    -- In a subquery, so that the plan is kept: for a limit that PostgreSQL sees it would plan each look again.
    order by s.reap_at limit (select ${limit})`,
});

/** Due seats of the few organizations whose clock runs ahead, license by license. */
export const listDueSlotsAhead = statement({
  name: 'list_due_slots_ahead',
  parameters: { limit: 'integer' },
  returns: many<DueSlotRow>(),
  sql: ({ limit }) => `
    select s.organization_id, s.session_id, o.clock_offset_ms,
      s.deadline <= ${serviceTime('o.clock_offset_ms')} as is_over
    from service_clock c, ${DUE_AHEAD} limit ${limit}`,
});

/** Due seats of one organization, whose clock may have been moved. */
export const listDueSlotsOfOrganization = statement({
  name: 'list_due_slots_of_organization',
  parameters: { limit: 'integer', organizationId: 'text' },
  returns: many<DueSlotRow>(),
  sql: ({ limit, organizationId }) => `
    select s.organization_id, s.session_id, o.clock_offset_ms,
      s.deadline <= ${serviceTime('o.clock_offset_ms')} as is_over
    from service_clock c, organizations o
    join license_seat_counts n on n.organization_id = o.id and n.taken > 0
    cross join lateral (
      select * from seat_slots
      where organization_id = n.organization_id and license_id = n.license_id and reap_at > '-infinity'
        and reap_at <= ${serviceTimeOnce('o.clock_offset_ms')}
      order by reap_at limit ${limit}
    ) s
    where o.id = ${organizationId} order by s.reap_at limit ${limit}`,
});

/**
 * When a seat of an organization is next due, on the organization's clock, excluding time away. That is when it times
 * out, or a moment before that if a heartbeat came in the meantime.
 */
export const findNextReap = statement({
  name: 'find_next_reap',
  parameters: { organizationId: 'text' },
  returns: one<{ due_ms: number | null }>(),
  sql: ({ organizationId }) => `
    select ceil(extract(epoch from min(s.reap_at)) * 1000)::float8 + (select away_ms from service_clock) as due_ms
    from license_seat_counts n
    cross join lateral (
      select reap_at from seat_slots
      where organization_id = n.organization_id and license_id = n.license_id and reap_at > '-infinity'
      order by reap_at limit 1
    ) s
    where n.organization_id = ${organizationId} and n.taken > 0`,
});

/** How long the next seat has been due, in seconds; negative if it is not due yet, null if no seat is held. */
export const findReaperLag = statement({
  name: 'find_reaper_lag',
  returns: maybeOne<{ seconds: number | null }>(),
  // The seat is the first entry of an index.
  sql: () => `select extract(epoch from ${serviceTime('0')} - (
      select s.reap_at from seat_slots s where s.session_id is not null order by s.reap_at limit 1))::float8 as seconds
    from service_clock c`,
});

/** Reschedules seats to their deadlines; counts them. */
export const updateSlotsDueAgain = statement({
  name: 'update_slots_due_again',
  parameters: { alive: arrays({ organization_id: 'text', session_id: 'text' }) },
  returns: count(),
  // A seat that a heartbeat is writing is skipped until the next run, because waiting could cause a deadlock.
  sql: ({ alive }) => `update seat_slots s set reap_at = s.deadline
    from (
      select held.organization_id, held.license_id, held.slot from ${alive}
      join seat_slots held on held.organization_id = alive.organization_id and held.session_id = alive.session_id
      for update of held skip locked
    ) free
    where s.organization_id = free.organization_id and s.license_id = free.license_id and s.slot = free.slot`,
});
