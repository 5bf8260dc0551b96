import { count, maybeOne, one, statement } from '../../database/index.ts';
import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';

/** A deleted endpoint that still has rows, and its position in the order of deletion. */
export interface DeletedEndpointRow extends EndpointKey {
  deleted_at: Date;
}

const KEY = { organizationId: 'text', endpointId: 'text' } as const;

/** The deleted endpoint after this one, in the order of deletion. */
export const findNextDeletedEndpoint = statement({
  name: 'find_next_deleted_endpoint',
  parameters: { afterDeletedAt: 'timestamptz', afterOrganizationId: 'text', afterEndpointId: 'text' },
  returns: maybeOne<DeletedEndpointRow>(),
  sql: ({ afterDeletedAt, afterOrganizationId, afterEndpointId }) =>
    `select organization_id, id as endpoint_id, deleted_at from webhook_endpoints
    where deleted_at is not null
      and (deleted_at, organization_id, id) > (${afterDeletedAt}, ${afterOrganizationId}, ${afterEndpointId})
    order by deleted_at, organization_id, id limit 1`,
});

/** Locks a deleted endpoint. Counts 0 if it is gone, or another process works on it. */
export const lockDeletedEndpoint = statement({
  name: 'take_deleted_endpoint',
  parameters: KEY,
  returns: count(),
  sql: ({ organizationId, endpointId }) => `select id from webhook_endpoints
    where organization_id = ${organizationId} and id = ${endpointId} and deleted_at is not null
    for update skip locked`,
});

/** Deletes an endpoint's first attempts in flight; there are few. */
export const deleteTaken = statement({
  name: 'delete_taken',
  parameters: KEY,
  sql: ({ organizationId, endpointId }) =>
    `delete from webhook_queue where organization_id = ${organizationId} and endpoint_id = ${endpointId}`,
});

/** Deletes up to `limit` planned attempts of an endpoint, including those in flight. Counts them. */
export const deletePlannedAttempts = statement({
  name: 'delete_planned_attempts',
  parameters: { ...KEY, limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, endpointId, limit }) => `delete from webhook_planned_attempts
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and id = any(array(
      select id from webhook_planned_attempts
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} limit ${limit}
    ))`,
});

/**
 * Deletes up to `limit` deliveries of an endpoint with all their attempts: no more deliveries than it takes to reach
 * `maxAttempts`. Returns whether there may be more. The delivery with which the attempts reach their bound is the last, so there is
 * always one.
 */
export const deleteDeliveries = statement({
  name: 'delete_deliveries',
  parameters: { ...KEY, limit: 'integer', maxAttempts: 'integer' },
  returns: one<{ has_more: boolean }>(),
  sql: ({ organizationId, endpointId, limit, maxAttempts }) => `with found as materialized (
      select id, attempts, created_at from webhook_deliveries
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} order by created_at, id limit ${limit}
    ), oldest as materialized (
      select id from (
        select id, sum(attempts) over (order by created_at, id) - attempts as attempts_before from found
      ) f where attempts_before < ${maxAttempts}
    ), attempted as (
      delete from webhook_attempts
      where organization_id = ${organizationId} and delivery_id = any(array(select id from oldest))
    ), gone as (
      delete from webhook_deliveries where organization_id = ${organizationId} and id = any(array(select id from oldest))
    )
    select count(*) >= ${limit} or count(*) > (select count(*) from oldest) as has_more from found`,
});

/** Deletes up to `limit` replays of an endpoint. Counts them. */
export const deleteReplays = statement({
  name: 'delete_replays',
  parameters: { ...KEY, limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, endpointId, limit }) => `delete from webhook_replays
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and id = any(array(
      select id from webhook_replays
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} limit ${limit}
    ))`,
});

/** Deletes the endpoint itself and its counter, when nothing else of it is left. */
export const deleteEndpointRow = statement({
  name: 'delete_endpoint_row',
  parameters: KEY,
  sql: ({ organizationId, endpointId }) => `with counter as (
      delete from webhook_sequences where organization_id = ${organizationId} and endpoint_id = ${endpointId}
    )
    delete from webhook_endpoints where organization_id = ${organizationId} and id = ${endpointId} and deleted_at is not null`,
});
