import { many, maybeOne, milliseconds, statement, wallTime } from '../../database/index.ts';

/** A record as stored; times in milliseconds since 1970. */
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

const COLUMNS = `id, organization_id, meter, value::text as value, ${milliseconds('at')} as at_ms, idempotency_key,
  ${milliseconds('recorded_at')} as recorded_at_ms`;

export const findRecordByKey = statement({
  name: 'find_usage_record_by_key',
  parameters: { organizationId: 'text', meter: 'text', key: 'text' },
  returns: maybeOne<UsageRecordRow>(),
  sql: ({ organizationId, meter, key }) => `select ${COLUMNS} from usage_records
    where organization_id = ${organizationId} and meter = ${meter} and idempotency_key = ${key}`,
});

/**
 * Writes a record and counts it in its hour. Writes and returns nothing if its key is taken; waits until a concurrent
 * transaction with the same key has committed. `value` is a decimal, `recordedBy` an operator token.
 */
export const insertRecord = statement({
  name: 'insert_usage_record',
  parameters: {
    organizationId: 'text',
    id: 'text',
    meter: 'text',
    value: 'text',
    at: 'instant',
    key: 'text | null',
    recordedBy: 'text | null',
    clockOffsetMs: 'bigint',
  },
  returns: maybeOne<UsageRecordRow>(),
  sql: (record) => `
    with added as (
      insert into usage_records
        (organization_id, id, meter, value, at, idempotency_key, recorded_by, recorded_at)
      values (${record.organizationId}, ${record.id}, ${record.meter}, ${record.value}::numeric, ${record.at}, ${record.key},
        ${record.recordedBy}, ${wallTime(record.clockOffsetMs)})
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
});

/**
 * Which of these meters have records; only called by an operator's command, for the meters that it would change. No
 * index begins with the meter, because each report would have to maintain it. For an unused meter, all of usage_hours
 * is read, once per catalogue that changes it, which takes seconds for ten million rows.
 */
export const listUsedMeters = statement({
  name: 'list_used_meters',
  parameters: { names: 'text[]' },
  returns: many<{ name: string }>(),
  sql: ({ names }) => `
    select m.name from unnest(${names}) as m (name) where exists (select from usage_hours h where h.meter = m.name)`,
});
