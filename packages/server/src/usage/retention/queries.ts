import { isSameKey, keysIn, type Statement, wallTime } from '../../database/index.ts';

/** $1 how many at most, $2 days. The oldest by their range of times, ends included; organizations' clocks only run ahead. */
export const DELETE_OLD_RECORDS: Statement<{ id: string }> = {
  name: 'delete_old_usage_records',
  text: `with oldest as materialized (
      select at from usage_records
      where at < (select ${wallTime('0')} - $2::int * interval '1 day') order by at limit $1
    )
    delete from usage_records
    where at between (select min(at) from oldest) and (select max(at) from oldest)
    returning id`,
};

/**
 * $1 how many at most, $2 days. The newest hour of a meter before that time stays, since a level lasts until the next one:
 * there is a newer one of it, old as well, for each that goes. `offset 0` has it looked up hour by hour.
 */
export const DELETE_OLD_HOURS: Statement<{ hour: Date }> = {
  name: 'delete_old_usage_hours',
  text: `with kept as materialized (select ${wallTime('0')} - $2::int * interval '1 day' as since), oldest as materialized (
      select h.organization_id, h.meter, h.hour from usage_hours h
      where h.hour < (select since from kept) and exists (
        select from usage_hours n where n.organization_id = h.organization_id and n.meter = h.meter
          and n.hour > h.hour and n.hour < (select since from kept) offset 0)
      order by h.hour limit $1
    )
    delete from usage_hours h using ${keysIn('oldest', ['organization_id', 'meter', 'hour'])}
    where ${isSameKey('h', ['organization_id', 'meter', 'hour'])}
    returning h.hour`,
};

/** $1 how many at most, $2 days. */
export const DELETE_OLD_SEAT_HOURS: Statement<{ hour: Date }> = {
  name: 'delete_old_usage_seat_hours',
  text: `with oldest as materialized (
      select organization_id, hour from usage_seat_hours
      where hour < (select ${wallTime('0')} - $2::int * interval '1 day') order by hour limit $1
    )
    delete from usage_seat_hours h using ${keysIn('oldest', ['organization_id', 'hour'])}
    where ${isSameKey('h', ['organization_id', 'hour'])}
    returning h.hour`,
};
