import type { Statement } from '../database/index.ts';

/**
 * Returns a row once in the life of a database that has no user yet: the process that gets it makes the demonstration.
 */
export const CLAIM_DEMONSTRATION: Statement<{ id: string }> = {
  name: 'claim_demonstration',
  text: `update installation set has_demonstration = true
    where id = 'this' and not has_demonstration and not exists (select from users)
    returning id`,
};

/** Licenses whose count of taken seats is not what their seats say; by that count acquires are decided. */
export const LIST_SEAT_FAULTS: Statement<{ license_id: string; fault: string }> = {
  name: 'list_seat_faults',
  text: `select n.license_id,
      format('%s seats are counted as taken, %s hold a session', n.taken, count(s.session_id)) as fault
    from license_seat_counts n left join seat_slots s
      on s.organization_id = n.organization_id and s.license_id = n.license_id and s.session_id is not null
    group by n.organization_id, n.license_id, n.taken having n.taken <> count(s.session_id)
    limit 100`,
};

/**
 * $1 names of meters. Which of them have records: an operator's command asks, and only of those that it would change. No
 * index begins with the meter, which each report would have to keep: for a meter that was never used all of usage_hours is
 * read, once for each catalogue that changes it, some seconds for ten million rows.
 */
export const LIST_USED_METERS: Statement<{ name: string }> = {
  name: 'list_used_meters',
  text: `select m.name from unnest($1::text[]) as m (name)
    where exists (select from usage_hours h where h.meter = m.name)`,
};
