import { type CompiledQuery, sql } from 'kysely';
import { build, type Queries, type Statement } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';

/** A delivery, with all its times by the organization's own clock. */
export interface DeliveryRow {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  status: 'pending' | 'succeeded' | 'failed' | 'held';
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  created_at: Date;
  is_test: boolean;
}

/** The same with the object of its event; null when that is kept no more. */
export interface DeliveryDetailRow extends DeliveryRow {
  object: Record<string, unknown> | null;
}

/** One attempt that ended. */
export interface AttemptRow {
  number: number;
  kind: 'scheduled' | 'manual' | 'test' | 'replay';
  started_at: Date;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  address: string | null;
  response_excerpt: string | null;
}

/** The columns of a DeliveryRow of `webhook_deliveries d`: plans are kept in real time and shown by the organization's. */
export const DELIVERY_COLUMNS = `d.id, d.endpoint_id, d.event_id, d.event_type, d.status, d.attempts, d.last_status_code,
  d.last_error, d.last_attempt_at, d.created_at, d.test_object is not null as is_test,
  d.next_attempt_at + (select clock_offset_ms from organizations where id = d.organization_id) * interval '1 millisecond'
    as next_attempt_at`;

/** Whether the organization has this endpoint, and has not deleted it. */
export async function hasEndpoint(database: Queries, organizationId: string, endpointId: string): Promise<boolean> {
  return (await database.query(HAS_ENDPOINT, [organizationId, endpointId])).length > 0;
}

/** A page of an endpoint's deliveries; one row more than the page where there is more. */
export function listDeliveries(
  organizationId: string,
  endpointId: string,
  page: PageRequest,
): CompiledQuery<DeliveryRow> {
  const { status, event_type: type, event_id: event } = page.filters;
  const { created_after: createdAfter, created_before: createdBefore } = page.filters;
  let query = build
    .selectFrom('webhook_deliveries as d')
    .where('d.organization_id', '=', organizationId)
    .where('d.endpoint_id', '=', endpointId);
  if (status !== undefined) {
    query = query.where('d.status', '=', status);
  }
  if (type !== undefined) {
    query = query.where('d.event_type', '=', type);
  }
  if (event !== undefined) {
    query = query.where('d.event_id', '=', event);
  }
  if (createdAfter !== undefined) {
    query = query.where('d.created_at', '>', new Date(createdAfter));
  }
  if (createdBefore !== undefined) {
    query = query.where('d.created_at', '<', new Date(createdBefore));
  }
  const columns = sql<DeliveryRow>`${sql.raw(DELIVERY_COLUMNS)}`;
  const paged = query.where(afterCursor(page, 'd.created_at', 'd.id')).orderBy(inOrder(page, 'd.created_at', 'd.id'));
  return sql<DeliveryRow>`${paged.limit(page.limit + 1)}`.compile(build) && sqlOf(paged, columns, page.limit + 1);
}
