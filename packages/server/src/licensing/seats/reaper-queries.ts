import { type Queries, type Statement, serviceTime, serviceTimeOnce } from '../../database/index.ts';

/** A seat whose turn it is to be looked at. */
export interface DueSlotRow {
  organization_id: string;
  session_id: string;
  clock_offset_ms: number;
  /** False when a heartbeat came since: the seat is looked at again at its new deadline. */
  is_over: boolean;
}

/** $1 how many at most. Organizations on real time, that is all of production: one walk along the index. */
export const LIST_DUE_SLOTS: Statement<DueSlotRow> = {
  name: 'list_due_slots',
  text: `select s.organization_id, s.session_id, 0 as clock_offset_ms, s.deadline <= ${serviceTime('0')} as is_over
    from service_clock c, seat_slots s
    where s.session_id is not null and s.reap_at <= ${serviceTimeOnce('0')}
      and not exists (select from organizations o where o.id = s.organization_id and o.clock_offset_ms > 0)
    order by s.reap_at limit $1`,
};

/** $1 how many at most. The few organizations whose clock runs ahead, license by license. */
export const LIST_DUE_SLOTS_AHEAD: Statement<DueSlotRow> = {
  name: 'list_due_slots_ahead',
  text: `select s.organization_id, s.session_id, o.clock_offset_ms,
      s.deadline <= ${serviceTime('o.clock_offset_ms')} as is_over
    from service_clock c, organizations o
    join license_seat_counts n on n.organization_id = o.id
    join seat_slots s on s.organization_id = n.organization_id and s.license_id = n.license_id
    where o.clock_offset_ms > 0 and s.session_id is not null and s.reap_at > '-infinity'
      and s.reap_at <= ${serviceTime('o.clock_offset_ms')}
    limit $1`,
};

/** $1 how many at most, $2 organization: those of one organization, whose clock may have been moved. */
export const LIST_DUE_SLOTS_OF_ORGANIZATION: Statement<DueSlotRow> = {
  name: 'list_due_slots_of_organization',
  text: `select s.organization_id, s.session_id, o.clock_offset_ms,
      s.deadline <= ${serviceTime('o.clock_offset_ms')} as is_over
    from service_clock c, organizations o
    join license_seat_counts n on n.organization_id = o.id and n.taken > 0
    cross join lateral (
      select * from seat_slots
      where organization_id = n.organization_id and license_id = n.license_id and reap_at > '-infinity'
        and reap_at <= ${serviceTimeOnce('o.clock_offset_ms')}
      order by reap_at limit $1
    ) s
    where o.id = $2 order by s.reap_at limit $1`,
};

/**
 * $1 organization: when a seat is next to be looked at, on the organization's clock: the time of service that went by
 * while nobody was there to answer does not count. That is its timeout, or a moment before it if a heartbeat came since.
 */
export const FIND_NEXT_LOOK: Statement<{ due_ms: number | null }> = {
  name: 'find_next_look',
  text: `select ceil(extract(epoch from min(s.reap_at)) * 1000)::float8 + (select away_ms from service_clock) as due_ms
    from license_seat_counts n
    cross join lateral (
      select reap_at from seat_slots
      where organization_id = n.organization_id and license_id = n.license_id and reap_at > '-infinity'
      order by reap_at limit 1
    ) s
    where n.organization_id = $1 and n.taken > 0`,
};

/** How long the seat that is next to be looked at has been due, in seconds; 0 when none is. The first entry of an index. */
export async function findReaperLag(database: Queries): Promise<number> {
  const [row] = await database.query(FIND_REAPER_LAG, []);
  return Math.max(0, row?.seconds ?? 0);
}

const FIND_REAPER_LAG: Statement<{ seconds: number | null }> = {
  name: 'find_reaper_lag',
  text: `select extract(epoch from ${serviceTime('0')} - (
      select s.reap_at from seat_slots s where s.session_id is not null order by s.reap_at limit 1))::float8 as seconds
    from service_clock c`,
};

/** Looks at seats again when they can next be over. $1 organizations, $2 sessions. */
export const UPDATE_SLOTS_RELOOKED: Statement<{ slot: number }> = {
  name: 'update_slots_relooked',
  // A seat that a heartbeat is just writing is passed over and looked at the next time: waiting could go both ways.
  text: `update seat_slots s set reap_at = s.deadline
    from (
      select held.organization_id, held.license_id, held.slot
      from unnest($1::text[], $2::text[]) as again (organization_id, session_id)
      join seat_slots held on held.organization_id = again.organization_id and held.session_id = again.session_id
      for update of held skip locked
    ) free
    where s.organization_id = free.organization_id and s.license_id = free.license_id and s.slot = free.slot
    returning s.slot`,
};
