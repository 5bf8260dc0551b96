import { type Queries, type Statement, wallTimeOnce } from '../../database/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';

/** What the last attempts at an endpoint came to. */
export interface StatisticsRow {
  attempts: number;
  succeeded: number;
  p95_duration_ms: number | null;
  failed_at: Date | null;
  failed_error: string | null;
  failed_status_code: number | null;
}

/** Sums up the endpoint's last attempts, 1,000 at most and 7 days old at most by the organization's own clock. */
export async function findStatistics(database: Queries, key: EndpointKey): Promise<StatisticsRow | undefined> {
  return (await database.query(FIND_STATISTICS, [key.organization_id, key.endpoint_id]))[0];
}

const FIND_STATISTICS: Statement<StatisticsRow> = {
  name: 'find_statistics',
  text: `with recent as materialized (
      select started_at, duration_ms, status_code, error from webhook_attempts
      where organization_id = $1 and endpoint_id = $2 and started_at > ${wallTimeOnce(
        '(select clock_offset_ms from organizations where id = $1)',
      )} - interval '7 days'
      order by started_at desc limit 1000
    )
    select s.*, f.started_at as failed_at, f.error as failed_error, f.status_code as failed_status_code
    from (
      select count(*)::integer as attempts, count(*) filter (where error is null)::integer as succeeded,
        percentile_disc(0.95) within group (order by duration_ms) as p95_duration_ms
      from recent
    ) s
    left join (select * from recent where error is not null order by started_at desc limit 1) f on true`,
};
