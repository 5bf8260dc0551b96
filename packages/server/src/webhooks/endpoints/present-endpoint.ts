import type { EndpointRow } from './queries.ts';
import type { WebhookEndpoint } from './schemas.ts';

/** An endpoint as the API and the audit log show it. */
export function presentEndpoint(row: EndpointRow): WebhookEndpoint {
  const { id, url, events, description, status } = row;
  return {
    id,
    url,
    events,
    description,
    status,
    disabled_reason: row.disabled_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
