import { many, maybeOne, milliseconds, recordset, statement } from '../../database/index.ts';

/** Until when an organization's seats have been counted by the hour, in milliseconds since 1970. */
export const findSeatMark = statement({
  name: 'find_seat_mark',
  parameters: { organizationId: 'text' },
  returns: maybeOne<{ counted_until_ms: number }>(),
  sql: ({ organizationId }) => `select ${milliseconds('counted_until')} as counted_until_ms from usage_seat_marks
    where organization_id = ${organizationId}`,
});

/** An organization's usage of a meter. */
export interface MeterUseRow {
  name: string;
  /** A decimal. */
  used: string;
}

/**
 * The usage of each meter in a period. Whole hours are read from their rows, and partial hours from the records. A
 * level is the newest record before the end, regardless of age.
 */
export const listMeterUse = statement({
  name: 'list_usage_of_meters',
  parameters: {
    organizationId: 'text',
    start: 'instant',
    end: 'instant',
    meter: recordset({ name: 'text', aggregation: 'text' }),
  },
  returns: many<MeterUseRow>(),
  sql: ({ organizationId, start, end, meter }) => {
    const hoursIn = (columns: string) => `select ${columns} from usage_hours h
        where h.organization_id = ${organizationId} and h.meter = meter.name
          and h.hour >= cut.first_hour and h.hour < cut.last_hour`;
    const recordsIn = (columns: string, from: string, until: string) => `select ${columns} from usage_records r
        where r.organization_id = ${organizationId} and r.meter = meter.name and r.at >= ${from} and r.at < ${until}`;
    const partsOf = (hour: string, record: string) => `${hoursIn(hour)}
        union all
        ${recordsIn(record, start, `least(cut.first_hour, ${end})`)}
        union all
        ${recordsIn(record, 'greatest(cut.first_hour, cut.last_hour)', end)}`;
    return `
    with cut as materialized (
      select date_trunc('hour', ${start} + interval '1 hour' - interval '1 microsecond', 'UTC') as first_hour,
        date_trunc('hour', ${end}, 'UTC') as last_hour
    )
    select meter.name,
      coalesce(case meter.aggregation
        when 'sum' then (select sum(part) from (${partsOf('sum(h.total) as part', 'sum(r.value)')}) parts)
        when 'max' then (select max(part) from (${partsOf('max(h.highest) as part', 'max(r.value)')}) parts)
        else coalesce(
          (${recordsIn('r.value', 'cut.last_hour', end)} order by r.at desc, r.id desc limit 1),
          (select h.last_value from usage_hours h
            where h.organization_id = ${organizationId} and h.meter = meter.name and h.hour < cut.last_hour
            order by h.hour desc limit 1))
      end, 0)::text as used
    from ${meter} cross join cut`;
  },
});
