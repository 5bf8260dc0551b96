import { one, statement, wallTimeOnce } from '../../database/index.ts';

/** The outcomes of the last attempts at an endpoint. */
export interface StatisticsRow {
  attempts: number;
  succeeded: number;
  p95_duration_ms: number | null;
  failed_at: Date | null;
  failed_error: string | null;
  failed_status_code: number | null;
}

/** Sums up the endpoint's last attempts: at most 1,000, and at most 7 days old by the organization's own clock. */
export const findStatistics = statement({
  name: 'find_statistics',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', endpointId: 'text' },
  returns: one<StatisticsRow>(),
  sql: ({ organizationId, clockOffsetMs, endpointId }) => `with recent as materialized (
      (select started_at, duration_ms, status_code, error from webhook_attempts
      where organization_id = ${organizationId} and endpoint_id = ${endpointId}
        and started_at > ${wallTimeOnce(clockOffsetMs)} - interval '7 days'
      order by started_at desc limit 1000)
      union all
      (select last_attempt_at, only_duration_ms, last_status_code, null from webhook_deliveries
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} and only_duration_ms is not null
        and last_attempt_at > ${wallTimeOnce(clockOffsetMs)} - interval '7 days'
      order by last_attempt_at desc limit 1000)
      order by started_at desc limit 1000
    )
    select s.*, f.started_at as failed_at, f.error as failed_error, f.status_code as failed_status_code
    from (
      select count(*)::integer as attempts, count(*) filter (where error is null)::integer as succeeded,
        percentile_disc(0.95) within group (order by duration_ms) as p95_duration_ms
      from recent
    ) s
    left join (select * from recent where error is not null order by started_at desc limit 1) f on true`,
});
