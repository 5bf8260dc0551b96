import { type Statement, wallTime } from '../../database/index.ts';

/** What a record is judged by. */
export interface MeteringRow {
  /** The organization's clock, in milliseconds since 1970. */
  now_ms: number;
  clock_offset_ms: number;
  has_meter: boolean;
}

/** A record as it is kept; times in milliseconds since 1970. */
export interface UsageRecordRow {
  id: string;
  organization_id: string;
  meter: string;
  /** A decimal. */
  value: string;
  at_ms: number;
  idempotency_key: string | null;
  recorded_at_ms: number;
}

const milliseconds = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`;
const COLUMNS = `id, organization_id, meter, value::text as value, ${milliseconds('at')} as at_ms, idempotency_key,
  ${milliseconds('recorded_at')} as recorded_at_ms`;

/** $1 organization, $2 meter. Nothing where there is no such organization. */
export const FIND_METERING: Statement<MeteringRow> = {
  name: 'find_metering',
  text: `select ${milliseconds(wallTime('o.clock_offset_ms'))} as now_ms, o.clock_offset_ms,
      exists (select from meters m where m.name = $2) as has_meter
    from organizations o where o.id = $1 and o.deleted_at is null`,
};

/** $1 organization, $2 meter, $3 key. */
export const FIND_RECORD_BY_KEY: Statement<UsageRecordRow> = {
  name: 'find_usage_record_by_key',
  text: `select ${COLUMNS} from usage_records where organization_id = $1 and meter = $2 and idempotency_key = $3`,
};

/**
 * Writes a record and counts it in its hour. Nothing is written or answered when its key is taken; the statement waits until
 * whoever takes it at the same time has committed. $1 organization, $2 id, $3 meter, $4 value, $5 time (ms), $6 key,
 * $7 operator token, $8 clock offset.
 */
export const INSERT_RECORD: Statement<UsageRecordRow> = {
  name: 'insert_usage_record',
  text: `
    with added as (
      insert into usage_records
        (organization_id, id, meter, value, at, idempotency_key, recorded_by, recorded_at)
      values ($1, $2, $3, $4::numeric, to_timestamp($5::float8 / 1000), $6, $7, ${wallTime('$8::bigint')})
      on conflict do nothing returning *
    ), counted as (
      insert into usage_hours as h (organization_id, meter, hour, total, highest, last_at, last_id, last_value)
      select organization_id, meter, date_trunc('hour', at, 'UTC'), value, value, at, id, value from added
      on conflict (organization_id, meter, hour) do update set
        total = h.total + excluded.total,
        highest = greatest(h.highest, excluded.highest),
        last_at = case when (excluded.last_at, excluded.last_id) > (h.last_at, h.last_id)
          then excluded.last_at else h.last_at end,
        last_id = case when (excluded.last_at, excluded.last_id) > (h.last_at, h.last_id)
          then excluded.last_id else h.last_id end,
        last_value = case when (excluded.last_at, excluded.last_id) > (h.last_at, h.last_id)
          then excluded.last_value else h.last_value end
    )
    select ${COLUMNS} from added`,
};
