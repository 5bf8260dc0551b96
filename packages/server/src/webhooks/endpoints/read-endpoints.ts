import { type AuthorizedContext, type ListPage, notFound, type PageRequest, toPage } from '../../http/index.ts';
import { presentEndpoint } from './present-endpoint.ts';
import { findEndpoint, listEndpoints } from './queries.ts';
import type { EndpointStatistics, WebhookEndpoint, WebhookEndpointDetail } from './schemas.ts';
import { findOverlapEnd } from './secret-queries.ts';
import { findStatistics, type StatisticsRow } from './statistics-queries.ts';

/** The organization's endpoints, a page at a time. */
export async function readEndpoints(context: AuthorizedContext, page: PageRequest): Promise<ListPage<WebhookEndpoint>> {
  const rows = await context.database.run(listEndpoints(context.principal.organizationId, page));
  return toPage(rows, page, (row) => ({ value: row.created_at.toISOString(), id: row.id }), presentEndpoint);
}

/** One endpoint of the organization with how it does, or not_found. */
export async function readEndpoint(context: AuthorizedContext, id: string): Promise<WebhookEndpointDetail> {
  const key = { organization_id: context.principal.organizationId, endpoint_id: id };
  const row = await findEndpoint(context.database, key);
  if (row === undefined) {
    throw notFound('webhook');
  }
  const overlapEnd = await findOverlapEnd(context.database, key);
  return {
    ...presentEndpoint(row),
    previous_secret_expires_at: overlapEnd?.toISOString() ?? null,
    statistics: presentStatistics(await findStatistics(context.database, key)),
  };
}

function presentStatistics(row: StatisticsRow | undefined): EndpointStatistics {
  const attempts = row?.attempts ?? 0;
  const succeeded = row?.succeeded ?? 0;
  return {
    attempts,
    succeeded,
    failed: attempts - succeeded,
    success_rate: attempts === 0 ? null : succeeded / attempts,
    p95_duration_ms: row?.p95_duration_ms ?? null,
    last_failure: row === undefined ? null : lastFailureOf(row),
  };
}

function lastFailureOf({ failed_at: at, failed_error: error, failed_status_code: statusCode }: StatisticsRow) {
  return at === null || error === null ? null : { at: at.toISOString(), error, status_code: statusCode };
}
