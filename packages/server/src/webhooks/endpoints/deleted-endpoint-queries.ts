import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';

/** A deleted endpoint of which something is left, and its place among all that were deleted. */
export interface DeletedEndpointRow extends EndpointKey {
  deleted_at: Date;
}

/** The deleted endpoint that comes after this one, those that were deleted first coming first; undefined when there is none. */
export async function findNextDeletedEndpoint(
  database: Queries,
  after: DeletedEndpointRow | undefined,
): Promise<DeletedEndpointRow | undefined> {
  const values = [after?.deleted_at ?? '-infinity', after?.organization_id ?? '', after?.endpoint_id ?? ''];
  return (await database.query(FIND_NEXT_DELETED_ENDPOINT, values))[0];
}

/** Locks a deleted endpoint; answers whether it is still there and no other process is at it. */
export async function takeDeletedEndpoint(tx: Queries, key: EndpointKey): Promise<boolean> {
  return (await tx.query(TAKE_DELETED_ENDPOINT, [key.organization_id, key.endpoint_id])).length > 0;
}

/** Deletes up to `limit` planned attempts of an endpoint, those under way included; answers how many. */
export async function deletePlannedAttempts(tx: Queries, key: EndpointKey, limit: number): Promise<number> {
  return (await tx.query(DELETE_PLANNED_ATTEMPTS, [key.organization_id, key.endpoint_id, limit])).length;
}

/**
 * Deletes up to `limit` deliveries of an endpoint with all their attempts, and no more of them than it takes to come to
 * `mostAttempts`. Answers whether there may be more.
 */
export async function deleteAllOfDeliveries(
  tx: Queries,
  key: EndpointKey,
  limit: number,
  mostAttempts: number,
): Promise<boolean> {
  const values = [key.organization_id, key.endpoint_id, limit, mostAttempts];
  return (await tx.query(DELETE_DELIVERIES, values))[0]?.has_more ?? false;
}

/** Deletes up to `limit` replays of an endpoint; answers how many. */
export async function deleteReplays(tx: Queries, key: EndpointKey, limit: number): Promise<number> {
  return (await tx.query(DELETE_REPLAYS, [key.organization_id, key.endpoint_id, limit])).length;
}

/** Deletes the endpoint itself, of which nothing else is left. */
export async function deleteEndpointRow(tx: Queries, key: EndpointKey): Promise<void> {
  await tx.query(DELETE_ENDPOINT_ROW, [key.organization_id, key.endpoint_id]);
}

const FIND_NEXT_DELETED_ENDPOINT: Statement<DeletedEndpointRow> = {
  name: 'find_next_deleted_endpoint',
  text: `select organization_id, id as endpoint_id, deleted_at from webhook_endpoints
    where deleted_at is not null and (deleted_at, organization_id, id) > ($1, $2, $3)
    order by deleted_at, organization_id, id limit 1`,
};

const TAKE_DELETED_ENDPOINT: Statement<{ id: string }> = {
  name: 'take_deleted_endpoint',
  text: `select id from webhook_endpoints where organization_id = $1 and id = $2 and deleted_at is not null
    for update skip locked`,
};

const DELETE_PLANNED_ATTEMPTS: Statement<{ id: string }> = {
  name: 'delete_planned_attempts',
  text: `delete from webhook_planned_attempts where organization_id = $1 and endpoint_id = $2 and id = any(array(
      select id from webhook_planned_attempts where organization_id = $1 and endpoint_id = $2 limit $3
    )) returning id`,
};

/** The delivery with which the attempts come to their bound is the last, so that there is always one. */
const DELETE_DELIVERIES: Statement<{ has_more: boolean }> = {
  name: 'delete_deliveries',
  text: `with found as materialized (
      select id, attempts, created_at from webhook_deliveries
      where organization_id = $1 and endpoint_id = $2 order by created_at, id limit $3
    ), oldest as materialized (
      select id from (
        select id, sum(attempts) over (order by created_at, id) - attempts as attempts_before from found
      ) f where attempts_before < $4
    ), attempted as (
      delete from webhook_attempts where organization_id = $1 and delivery_id = any(array(select id from oldest))
    ), gone as (
      delete from webhook_deliveries where organization_id = $1 and id = any(array(select id from oldest))
    )
    select count(*) >= $3 or count(*) > (select count(*) from oldest) as has_more from found`,
};

const DELETE_REPLAYS: Statement<{ id: string }> = {
  name: 'delete_replays',
  text: `delete from webhook_replays where organization_id = $1 and endpoint_id = $2 and id = any(array(
      select id from webhook_replays where organization_id = $1 and endpoint_id = $2 limit $3
    )) returning id`,
};

const DELETE_ENDPOINT_ROW: Statement<never> = {
  name: 'delete_endpoint_row',
  text: 'delete from webhook_endpoints where organization_id = $1 and id = $2 and deleted_at is not null',
};
