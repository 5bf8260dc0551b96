import { many, maybeOne, one, statement, wallTime } from '../../database/index.ts';
import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';
import type { EndpointStatus } from '../endpoint-state/state-queries.ts';

/** An endpoint as stored, including its status. */
export interface EndpointRow {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  status: EndpointStatus;
  disabled_reason: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The mutable fields of an endpoint, besides its status. */
export type EndpointContent = Pick<EndpointRow, 'url' | 'events' | 'description'>;

/** The columns of an EndpointRow, of an endpoint `e` and its state `s`. */
export const ENDPOINT_COLUMNS =
  'e.id, e.url, e.events, e.description, s.status, s.disabled_reason, e.created_at, e.updated_at';

/** How many live endpoints the organization has. */
export const countEndpoints = statement({
  name: 'count_endpoints',
  parameters: { organizationId: 'text' },
  returns: one<{ count: number }>(),
  sql: ({ organizationId }) =>
    `select count(*)::integer as count from webhook_endpoint_states where organization_id = ${organizationId}`,
});

/**
 * Writes an active endpoint and its state; the organization's lock is held. Created by the organization's own clock,
 * like events, because an endpoint gets those created after it.
 */
export const insertEndpoint = statement({
  name: 'insert_endpoint',
  parameters: {
    organizationId: 'text',
    clockOffsetMs: 'bigint',
    endpointId: 'text',
    url: 'text',
    events: 'text[]',
    description: 'text | null',
    destination: 'text',
  },
  sql: ({ organizationId, clockOffsetMs, endpointId, url, events, description, destination }) => `with state as (
      insert into webhook_endpoint_states (organization_id, endpoint_id, status, destination)
      values (${organizationId}, ${endpointId}, 'active', ${destination})
    )
    insert into webhook_endpoints (organization_id, id, url, events, description, created_at, updated_at)
    select ${organizationId}, ${endpointId}, ${url}, ${events}, ${description}, n.t, n.t
    from (select ${wallTime(clockOffsetMs)} as t) n`,
});

/** An endpoint that is not deleted. */
export const findEndpoint = statement({
  name: 'find_endpoint',
  parameters: { organizationId: 'text', endpointId: 'text' },
  returns: maybeOne<EndpointRow>(),
  sql: ({ organizationId, endpointId }) => `select ${ENDPOINT_COLUMNS} from webhook_endpoints e
    join webhook_endpoint_states s on s.organization_id = e.organization_id and s.endpoint_id = e.id
    where e.organization_id = ${organizationId} and e.id = ${endpointId} and e.deleted_at is null`,
});

/** Marks an endpoint as deleted and deletes its state and secrets; its lock is held. A job deletes its history. */
export const deleteEndpoint = statement({
  name: 'delete_endpoint',
  parameters: { organizationId: 'text', endpointId: 'text' },
  sql: ({ organizationId, endpointId }) => `with state as (
      delete from webhook_endpoint_states where organization_id = ${organizationId} and endpoint_id = ${endpointId}
    ), secrets as (
      delete from webhook_secrets where organization_id = ${organizationId} and endpoint_id = ${endpointId}
    )
    update webhook_endpoints set deleted_at = clock_timestamp()
    where organization_id = ${organizationId} and id = ${endpointId}`,
});

/** The keys of the organization's endpoints that are not deleted. */
export const listEndpointKeys = statement({
  name: 'list_endpoint_keys',
  parameters: { organizationId: 'text' },
  returns: many<EndpointKey>(),
  sql: ({ organizationId }) => `select organization_id, endpoint_id from webhook_endpoint_states
    where organization_id = ${organizationId} order by endpoint_id`,
});
