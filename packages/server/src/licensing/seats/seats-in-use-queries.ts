import { one, serviceTime, statement, wallTime } from '../../database/index.ts';

/** How many seats the licenses in force have, bought or issued, and how many such licenses there are. */
export const countSoldSeats = statement({
  name: 'count_sold_seats',
  parameters: { now: 'instant' },
  returns: one<{ seats: number; licenses: number }>(),
  sql: ({ now }) => `select coalesce(sum(max_seats), 0)::float8 as seats, count(*)::float8 as licenses
    from licenses where state = 'active' and expires_at > ${now}`,
});

/**
 * How many seats of all organizations are in use now, and the maximum at one moment of a window, which is open if
 * `until` is null. A session occupies its seat from its start until before its end. One past its timeout does so until
 * the timeout. Ends and starts at the same instant are combined, so that a seat that is passed on is not counted twice.
 */
export const countSeatsInUse = statement({
  name: 'count_seats_in_use',
  parameters: { from: 'instant', until: 'instant | null' },
  returns: one<{ used: number; peak: number }>(),
  sql: ({ from, until }) => `with clock as materialized (
      select c.away_ms, ${serviceTime('0')} as service, ${wallTime('0')} as wall from service_clock c
    ), running as materialized (
      select s.started_at, case when s.deadline <= clock.service
          then least(s.deadline + clock.away_ms * interval '1 millisecond', clock.wall)::timestamptz(3)
          else 'infinity' end as ended_at
      from clock, seat_slots s where s.session_id is not null and s.reap_at > '-infinity'
    ), held as materialized (
      select started_at, ended_at from running where ended_at > ${from} and ended_at > started_at
      union all
      -- Written as the index has it, which no query of one organization may take for its own.
      select started_at, ended_at from seat_sessions
      where (ended_at at time zone 'UTC') > (${from} at time zone 'UTC') and ended_at > started_at
    ), changes as (
      select greatest(started_at, ${from}) as at, 1 as seats from held
      union all
      select ended_at, -1 from held where ended_at < 'infinity'
    ), moments as (
      select at, sum(seats) as seats from changes where at < coalesce(${until}, 'infinity') group by at
    )
    select (select count(*) from running where ended_at = 'infinity')::int as used, coalesce(max(active), 0)::int as peak
    from (select sum(seats) over (order by at) as active from moments) levels`,
});
