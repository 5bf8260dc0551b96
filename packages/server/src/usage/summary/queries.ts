import { type Statement, serviceTime, wallTime } from '../../database/index.ts';

/** What an organization's summary begins with; times in milliseconds since 1970. */
export interface PeriodRow {
  clock_offset_ms: number;
  /** The organization's clock. */
  now_ms: number;
  start_ms: number;
  end_ms: number;
  /** Until when its seats are counted by the hour. */
  counted_until_ms: number | null;
}

/** What a meter shows for a period. */
export interface MeterRow {
  name: string;
  included: number;
  /** A decimal. */
  used: string;
}

const milliseconds = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`;
const timeOf = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`;
const OLDEST = 'order by created_at, id limit 1';

const oldestOf = (status: string) => `(select created_at, id, current_period_start, current_period_end
        from subscriptions where organization_id = $1 and status = '${status}' ${OLDEST})`;

/** $1 organization. Each status by itself: so the index answers the oldest without a sort. */
export const FIND_PERIOD: Statement<PeriodRow> = {
  name: 'find_usage_period',
  text: `
    with clock as materialized (
      select o.id, o.clock_offset_ms, ${wallTime('o.clock_offset_ms')} as wall from organizations o where o.id = $1
    ), oldest as (
      select current_period_start, current_period_end from (
        ${oldestOf('active')} union all ${oldestOf('past_due')}
      ) live ${OLDEST}
    ), month as (
      select date_trunc('month', wall, 'UTC') as start,
        (date_trunc('month', wall at time zone 'UTC') + interval '1 month') at time zone 'UTC' as next from clock
    )
    select clock.clock_offset_ms, ${milliseconds('clock.wall')} as now_ms,
      ${milliseconds('coalesce(oldest.current_period_start, month.start)')} as start_ms,
      ${milliseconds('coalesce(oldest.current_period_end, month.next)')} as end_ms,
      ${milliseconds('k.counted_until')} as counted_until_ms
    from clock cross join month left join oldest on true
    left join usage_seat_marks k on k.organization_id = clock.id`,
};

/** $1 organization, $2 clock offset: the seats of the licenses that can be used now, and those in use. */
export const COUNT_SEATS: Statement<{ included: number; used: number }> = {
  name: 'count_usage_seats',
  text: `select
      (select coalesce(sum(l.max_seats), 0)::bigint from licenses l
        where l.organization_id = $1 and l.state = 'active'
          and l.expires_at > (select ${wallTime('$2::bigint')})) as included,
      (select count(*) from seat_slots s, service_clock c
        where s.organization_id = $1 and s.session_id is not null
          and s.deadline > ${serviceTime('$2::bigint')}) as used`,
};

/** Whole hours from their rows; what the period cuts off them from the records. */
const hoursIn = (columns: string) => `select ${columns} from usage_hours h
        where h.organization_id = $1 and h.meter = m.name and h.hour >= cut.first_hour and h.hour < cut.last_hour`;
const recordsIn = (columns: string, from: string, until: string) => `select ${columns} from usage_records r
        where r.organization_id = $1 and r.meter = m.name and r.at >= ${from} and r.at < ${until}`;
const partsOf = (hour: string, record: string) => `${hoursIn(hour)}
        union all
        ${recordsIn(record, timeOf('$2'), `least(cut.first_hour, ${timeOf('$3')})`)}
        union all
        ${recordsIn(record, 'greatest(cut.first_hour, cut.last_hour)', timeOf('$3'))}`;

/**
 * Every meter of the catalogue: what the live subscriptions include, and what was used. $1 organization, $2 start, $3 end of
 * the period (ms). A level is the newest of all records before the end, however old.
 */
export const LIST_METERS: Statement<MeterRow> = {
  name: 'list_usage_of_meters',
  text: `
    with cut as materialized (
      select date_trunc('hour', ${timeOf('$2')} + interval '1 hour' - interval '1 microsecond', 'UTC') as first_hour,
        date_trunc('hour', ${timeOf('$3')}, 'UTC') as last_hour
    ), live as materialized (
      select p.included from subscriptions s join plans p on p.id = s.plan_id
      where s.organization_id = $1 and s.status in ('active', 'past_due')
    )
    select m.name,
      coalesce((select sum(case jsonb_typeof(live.included -> m.name)
        when 'number' then floor((live.included ->> m.name)::numeric) end) from live), 0)::float8 as included,
      coalesce(case m.aggregation
        when 'sum' then (select sum(part) from (${partsOf('sum(h.total) as part', 'sum(r.value)')}) parts)
        when 'max' then (select max(part) from (${partsOf('max(h.highest) as part', 'max(r.value)')}) parts)
        else coalesce(
          (${recordsIn('r.value', 'cut.last_hour', timeOf('$3'))} order by r.at desc, r.id desc limit 1),
          (select h.last_value from usage_hours h
            where h.organization_id = $1 and h.meter = m.name and h.hour < cut.last_hour order by h.hour desc limit 1))
      end, 0)::text as used
    from meters m cross join cut order by m.name`,
};
