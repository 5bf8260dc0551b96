import type { AttemptRow, DeliveryRow } from './queries.ts';
import type { Delivery, DeliveryDetail } from './schemas.ts';

/** A delivery as the API and the audit log show it. */
export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhook_id: row.endpoint_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempt_count: row.attempts,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    is_test: row.is_test,
    sequence: row.sequence,
  };
}

/** A delivery with its attempts, oldest first, and the event as sent; null if it is no longer kept. */
export function presentDeliveryDetail(
  organizationId: string,
  row: DeliveryRow,
  object: Record<string, unknown> | null,
  attempts: readonly AttemptRow[],
): DeliveryDetail {
  return {
    ...presentDelivery(row),
    attempts: attempts.map((each) => ({
      number: each.number,
      at: each.started_at.toISOString(),
      duration_ms: each.duration_ms,
      status_code: each.status_code,
      error: each.error,
      response_excerpt: each.response_excerpt,
      address: each.address,
      trigger: each.kind,
    })),
    event:
      object === null
        ? null
        : {
            id: row.event_id,
            type: row.event_type,
            created: row.created_at.toISOString(),
            data: { object },
            organization_id: organizationId,
          },
  };
}
