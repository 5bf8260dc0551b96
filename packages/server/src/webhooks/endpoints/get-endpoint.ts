import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { presentEndpoint } from './present-endpoint.ts';
import { findEndpoint } from './queries.ts';
import type { EndpointStatistics, WebhookEndpointDetail } from './schemas.ts';
import { findOverlapEnd } from './secret-queries.ts';
import { findStatistics, type StatisticsRow } from './statistics-queries.ts';

/** One endpoint of the organization with its statistics, or not_found. */
export async function getEndpoint(context: AuthorizedContext, id: string): Promise<WebhookEndpointDetail> {
  const { organizationId, clockOffsetMs } = context.principal;
  const key = { organizationId, endpointId: id };
  const row = await findEndpoint(context.database, key);
  if (row === undefined) {
    throw notFound('webhook');
  }
  const { ends_at: overlapEnd } = await findOverlapEnd(context.database, key);
  return {
    ...presentEndpoint(row),
    previous_secret_expires_at: overlapEnd?.toISOString() ?? null,
    statistics: presentStatistics(await findStatistics(context.database, { ...key, clockOffsetMs })),
  };
}

function presentStatistics(row: StatisticsRow): EndpointStatistics {
  const { attempts, succeeded } = row;
  return {
    attempts,
    succeeded,
    failed: attempts - succeeded,
    success_rate: attempts === 0 ? null : succeeded / attempts,
    p95_duration_ms: row.p95_duration_ms,
    last_failure: lastFailureOf(row),
  };
}

function lastFailureOf({ failed_at: at, failed_error: error, failed_status_code: statusCode }: StatisticsRow) {
  return at === null || error === null ? null : { at: at.toISOString(), error, status_code: statusCode };
}
