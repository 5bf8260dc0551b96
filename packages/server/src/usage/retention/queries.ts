import { count, isSameKey, keysIn, statement, wallTime } from '../../database/index.ts';

/** Deletes the oldest records by an inclusive range of times. Organizations' clocks only run ahead. */
export const deleteOldRecords = statement({
  name: 'delete_old_usage_records',
  parameters: { limit: 'integer', days: 'integer' },
  returns: count(),
  sql: ({ limit, days }) => `with oldest as materialized (
      select at from usage_records
      where at < (select ${wallTime('0')} - ${days} * interval '1 day') order by at limit ${limit}
    )
    delete from usage_records
    where at between (select min(at) from oldest) and (select max(at) from oldest)`,
});

/**
 * Deletes old hours. The newest old hour of a meter stays, because a level lasts until the next one: for each deleted
 * hour there is a newer one of the meter that is also old. `offset 0` makes PostgreSQL look it up hour by hour.
 */
export const deleteOldHours = statement({
  name: 'delete_old_usage_hours',
  parameters: { limit: 'integer', days: 'integer' },
  returns: count(),
  sql: ({ limit, days }) => `with kept as materialized (select ${wallTime('0')} - ${days} * interval '1 day' as since),
    oldest as materialized (
      select h.organization_id, h.meter, h.hour from usage_hours h
      where h.hour < (select since from kept) and exists (
        select from usage_hours n where n.organization_id = h.organization_id and n.meter = h.meter
          and n.hour > h.hour and n.hour < (select since from kept) offset 0)
      order by h.hour limit ${limit}
    )
    delete from usage_hours h using ${keysIn('oldest', ['organization_id', 'meter', 'hour'])}
    where ${isSameKey('h', ['organization_id', 'meter', 'hour'])}`,
});

export const deleteOldSeatHours = statement({
  name: 'delete_old_usage_seat_hours',
  parameters: { limit: 'integer', days: 'integer' },
  returns: count(),
  sql: ({ limit, days }) => `with oldest as materialized (
      select organization_id, hour from usage_seat_hours
      where hour < (select ${wallTime('0')} - ${days} * interval '1 day') order by hour limit ${limit}
    )
    delete from usage_seat_hours h using ${keysIn('oldest', ['organization_id', 'hour'])}
    where ${isSameKey('h', ['organization_id', 'hour'])}`,
});
