import { many, maybeOne, statement } from '../../database/index.ts';

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
  /** Null if it is from before there were numbers. */
  sequence: number | null;
}

/** A delivery with the object that it sends if it is a test. */
export interface DeliveryDetailRow extends DeliveryRow {
  test_object: Record<string, unknown> | null;
}

/** An attempt that ended. */
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

/** The columns of a DeliveryRow. Planned times are stored in real time and shown by the organization's own clock. */
export const deliveryColumns = (clockOffsetMs: string) =>
  `id, endpoint_id, event_id, event_type, status, attempts, last_status_code, last_error, last_attempt_at, created_at,
      test_object is not null as is_test, sequence::float8 as sequence,
      next_attempt_at + ${clockOffsetMs} * interval '1 millisecond' as next_attempt_at`;

/**
 * All deliveries, including those whose first attempt is in progress: few, and written when it ends. Conditions are
 * outside the union, because PostgreSQL sorts the whole result of a union with its own conditions.
 */
export const ALL_DELIVERIES = `(
      select organization_id, id, endpoint_id, event_id, event_type, status, attempts, last_status_code, last_error,
        last_attempt_at, created_at, test_object, next_attempt_at, sequence
      from webhook_deliveries
      union all
      select organization_id, delivery_id, endpoint_id, event_id, event_type, 'pending', 0, null::integer, null::text,
        null::timestamptz(3), created_at, null::jsonb, due_at, sequence
      from webhook_queue
    ) d`;

/** One delivery of an endpoint. */
export const findDelivery = statement({
  name: 'find_delivery',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', endpointId: 'text', id: 'text' },
  returns: maybeOne<DeliveryDetailRow>(),
  sql: ({ organizationId, clockOffsetMs, endpointId, id }) => `select ${deliveryColumns(clockOffsetMs)}, test_object
    from ${ALL_DELIVERIES}
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and id = ${id}`,
});

/** The newest `limit` attempts at a delivery up to this number, the newest first. The only one is in the delivery itself. */
export const listAttempts = statement({
  name: 'list_attempts',
  parameters: { organizationId: 'text', deliveryId: 'text', upToNumber: 'integer', limit: 'integer' },
  returns: many<AttemptRow>(),
  sql: ({ organizationId, deliveryId, upToNumber, limit }) =>
    `select number, kind, started_at, duration_ms, status_code, error, address, response_excerpt
    from webhook_attempts
    where organization_id = ${organizationId} and delivery_id = ${deliveryId} and number <= ${upToNumber}
    union all
    select 1, 'scheduled', last_attempt_at, only_duration_ms, last_status_code, null, only_address, only_response_excerpt
    from webhook_deliveries
    where organization_id = ${organizationId} and id = ${deliveryId} and only_duration_ms is not null
    order by number desc limit ${limit}`,
});
