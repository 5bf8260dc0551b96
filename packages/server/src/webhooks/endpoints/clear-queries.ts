import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';

/** The endpoint that was deleted first and that no other process is clearing away, locked; undefined when there is none. */
export async function takeDeletedEndpoint(tx: Queries): Promise<EndpointKey | undefined> {
  return (await tx.query(TAKE_DELETED_ENDPOINT, []))[0];
}

/** Deletes up to `limit` planned attempts of an endpoint, those under way included; answers how many. */
export async function deletePlannedAttempts(tx: Queries, key: EndpointKey, limit: number): Promise<number> {
  return (await tx.query(DELETE_PLANNED_ATTEMPTS, [key.organization_id, key.endpoint_id, limit])).length;
}

/** Deletes up to `limit` deliveries of an endpoint with all their attempts; answers how many deliveries. */
export async function deleteAllOfDeliveries(tx: Queries, key: EndpointKey, limit: number): Promise<number> {
  return (await tx.query(DELETE_DELIVERIES, [key.organization_id, key.endpoint_id, limit])).length;
}

/** Deletes up to `limit` replays of an endpoint; answers how many. */
export async function deleteReplays(tx: Queries, key: EndpointKey, limit: number): Promise<number> {
  return (await tx.query(DELETE_REPLAYS, [key.organization_id, key.endpoint_id, limit])).length;
}

/** Deletes the endpoint itself, of which nothing else is left. */
export async function deleteEndpointRow(tx: Queries, key: EndpointKey): Promise<void> {
  await tx.query(DELETE_ENDPOINT_ROW, [key.organization_id, key.endpoint_id]);
}

const TAKE_DELETED_ENDPOINT: Statement<EndpointKey> = {
  name: 'take_deleted_endpoint',
  text: `select organization_id, id as endpoint_id from webhook_endpoints where deleted_at is not null
    order by deleted_at limit 1 for update skip locked`,
};

const DELETE_PLANNED_ATTEMPTS: Statement<{ id: string }> = {
  name: 'delete_planned_attempts',
  text: `delete from webhook_planned_attempts where organization_id = $1 and endpoint_id = $2 and id = any(array(
      select id from webhook_planned_attempts where organization_id = $1 and endpoint_id = $2 limit $3
    )) returning id`,
};

const DELETE_DELIVERIES: Statement<{ id: string }> = {
  name: 'delete_deliveries',
  text: `with oldest as materialized (
      select id from webhook_deliveries where organization_id = $1 and endpoint_id = $2 order by created_at, id limit $3
    ), attempted as (
      delete from webhook_attempts where organization_id = $1 and delivery_id = any(array(select id from oldest))
    )
    delete from webhook_deliveries where organization_id = $1 and id = any(array(select id from oldest)) returning id`,
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
