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

/** A page of an endpoint's deliveries; one row more than the page where there is more. */
export function listDeliveries(
  organizationId: string,
  endpointId: string,
  page: PageRequest,
): CompiledQuery<DeliveryRow> {
  const { status, event_type: type, event_id: event } = page.filters;
  const { created_after: createdAfter, created_before: createdBefore } = page.filters;
  let query = deliveriesOf(organizationId, endpointId);
  if (status !== undefined) {
    query = query.where('status', '=', status);
  }
  if (type !== undefined) {
    query = query.where('event_type', '=', type);
  }
  if (event !== undefined) {
    query = query.where('event_id', '=', event);
  }
  if (createdAfter !== undefined) {
    query = query.where('created_at', '>', new Date(createdAfter));
  }
  if (createdBefore !== undefined) {
    query = query.where('created_at', '<', new Date(createdBefore));
  }
  return query
    .where(afterCursor(page, 'created_at'))
    .orderBy(inOrder(page, 'created_at'))
    .limit(page.limit + 1)
    .compile();
}

/** One delivery of an endpoint with its event, or undefined. */
export async function findDelivery(
  database: Queries,
  organizationId: string,
  endpointId: string,
  id: string,
): Promise<DeliveryDetailRow | undefined> {
  const query = deliveriesOf(organizationId, endpointId)
    .select(
      sql<DeliveryDetailRow['object']>`coalesce(test_object, (
        select object from events where organization_id = ${organizationId} and id = webhook_deliveries.event_id
      ))`.as('object'),
    )
    .where('id', '=', id);
  return (await database.run(query.compile()))[0];
}

/** The newest `limit` attempts at a delivery up to this number, the oldest first. */
export async function listAttempts(
  database: Queries,
  organizationId: string,
  deliveryId: string,
  upToNumber: number,
  limit: number,
): Promise<AttemptRow[]> {
  const rows = await database.query(LIST_ATTEMPTS, [organizationId, deliveryId, upToNumber, limit]);
  return rows.toReversed();
}

/** An endpoint's deliveries with the columns of a DeliveryRow. What is planned is kept in real time and shown by the own clock. */
function deliveriesOf(organizationId: string, endpointId: string) {
  return build
    .selectFrom('webhook_deliveries')
    .select(['id', 'endpoint_id', 'event_id', 'event_type', 'attempts', 'last_status_code', 'last_error'])
    .select(['last_attempt_at', 'created_at'])
    .select([
      sql<DeliveryRow['status']>`status`.as('status'),
      sql<boolean>`test_object is not null`.as('is_test'),
      sql<Date | null>`next_attempt_at + (select clock_offset_ms from organizations where id = ${organizationId})
        * interval '1 millisecond'`.as('next_attempt_at'),
    ])
    .where('organization_id', '=', organizationId)
    .where('endpoint_id', '=', endpointId);
}

const LIST_ATTEMPTS: Statement<AttemptRow> = {
  name: 'list_attempts',
  text: `select number, kind, started_at, duration_ms, status_code, error, address, response_excerpt
    from webhook_attempts where organization_id = $1 and delivery_id = $2 and number <= $3
    order by number desc limit $4`,
};
