import { type CompiledQuery, sql } from 'kysely';
import { build, type Queries, type Statement, wallTime } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';
import { patternsOf } from '../subscription-rules.ts';

export type EndpointStatus = 'active' | 'paused' | 'disabled';

/** An endpoint as it is kept, its status included. */
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

/** What an endpoint can be changed in, besides its status. */
export type EndpointContent = Pick<EndpointRow, 'url' | 'events' | 'description'>;

/**
 * Lets one transaction of the organization at a time add endpoints, so that they can be counted before. False when it was
 * deleted: an endpoint of it would never go.
 */
export async function lockForNewEndpoint(tx: Queries, organizationId: string): Promise<boolean> {
  return (await tx.query(LOCK_FOR_NEW_ENDPOINT, [organizationId])).length > 0;
}

/** How many live endpoints the organization has. */
export async function countEndpoints(tx: Queries, organizationId: string): Promise<number> {
  return (await tx.query(COUNT_ENDPOINTS, [organizationId]))[0]?.count ?? 0;
}

/** Writes an active endpoint and its state; the organization's lock is held. */
export async function insertEndpoint(
  tx: Queries,
  key: EndpointKey,
  { url, events, description }: EndpointContent,
  destination: string,
): Promise<void> {
  await tx.query(INSERT_ENDPOINT, [key.organization_id, key.endpoint_id, url, events, description, destination]);
}

/** An endpoint that is not deleted, or undefined. */
export async function findEndpoint(database: Queries, key: EndpointKey): Promise<EndpointRow | undefined> {
  return (await database.query(FIND_ENDPOINT, [key.organization_id, key.endpoint_id]))[0];
}

/** Whether the organization has this endpoint, and has not deleted it. */
export async function hasEndpoint(database: Queries, organizationId: string, endpointId: string): Promise<boolean> {
  return (await database.query(FIND_LIVE_ENDPOINT, [organizationId, endpointId])).length > 0;
}

/** A page of the organization's endpoints that are not deleted; one row more than the page where there is more. */
export function listEndpoints(organizationId: string, page: PageRequest): CompiledQuery<EndpointRow> {
  const { status, event } = page.filters;
  let query = build
    .selectFrom('webhook_endpoints as e')
    .innerJoin('webhook_endpoint_states as s', (join) =>
      join.onRef('s.organization_id', '=', 'e.organization_id').onRef('s.endpoint_id', '=', 'e.id'),
    )
    .select(['e.id', 'e.url', 'e.events', 'e.description', 's.disabled_reason', 'e.created_at', 'e.updated_at'])
    .select(sql<EndpointStatus>`s.status`.as('status'))
    .where('e.organization_id', '=', organizationId)
    .where('e.deleted_at', 'is', null);
  if (status !== undefined) {
    query = query.where(sql<boolean>`s.status = ${status}`);
  }
  if (event !== undefined) {
    query = query.where(sql<boolean>`e.events && ${patternsOf(event)}::text[]`);
  }
  return query
    .where(afterCursor(page, 'e.created_at', 'e.id'))
    .orderBy(inOrder(page, 'e.created_at', 'e.id'))
    .limit(page.limit + 1)
    .compile();
}

/** Marks an endpoint as deleted and ends its state and secrets; its lock is held. A job deletes its history. */
export async function deleteEndpoint(tx: Queries, key: EndpointKey): Promise<void> {
  await tx.query(DELETE_ENDPOINT, [key.organization_id, key.endpoint_id]);
}

/** The identifiers of the organization's endpoints that are not deleted. */
export async function listEndpointIds(tx: Queries, organizationId: string): Promise<string[]> {
  return (await tx.query(LIST_ENDPOINT_IDS, [organizationId])).map((each) => each.id);
}

/** Not `for update`, which would make whatever refers to the organization by a foreign key wait as well. */
const LOCK_FOR_NEW_ENDPOINT: Statement<{ id: string }> = {
  name: 'lock_for_new_endpoint',
  text: 'select id from organizations where id = $1 and deleted_at is null for no key update',
};

const COUNT_ENDPOINTS: Statement<{ count: number }> = {
  name: 'count_endpoints',
  text: 'select count(*)::integer as count from webhook_endpoint_states where organization_id = $1',
};

/** By the organization's own clock, as events are: an endpoint gets those created after it. */
const INSERT_ENDPOINT: Statement<never> = {
  name: 'insert_endpoint',
  text: `with state as (
      insert into webhook_endpoint_states (organization_id, endpoint_id, status, destination)
      values ($1, $2, 'active', $6)
    )
    insert into webhook_endpoints (organization_id, id, url, events, description, created_at, updated_at)
    select $1, $2, $3, $4, $5, n.t, n.t
    from (select ${wallTime('clock_offset_ms')} as t from organizations where id = $1) n`,
};

const FIND_ENDPOINT: Statement<EndpointRow> = {
  name: 'find_endpoint',
  text: `select e.id, e.url, e.events, e.description, s.status, s.disabled_reason, e.created_at, e.updated_at
    from webhook_endpoints e
    join webhook_endpoint_states s on s.organization_id = e.organization_id and s.endpoint_id = e.id
    where e.organization_id = $1 and e.id = $2 and e.deleted_at is null`,
};

const FIND_LIVE_ENDPOINT: Statement<{ id: string }> = {
  name: 'find_live_endpoint',
  text: 'select id from webhook_endpoints where organization_id = $1 and id = $2 and deleted_at is null',
};

const DELETE_ENDPOINT: Statement<never> = {
  name: 'delete_endpoint',
  text: `with state as (
      delete from webhook_endpoint_states where organization_id = $1 and endpoint_id = $2
    ), secrets as (
      delete from webhook_secrets where organization_id = $1 and endpoint_id = $2
    )
    update webhook_endpoints set deleted_at = clock_timestamp() where organization_id = $1 and id = $2`,
};

const LIST_ENDPOINT_IDS: Statement<{ id: string }> = {
  name: 'list_endpoint_ids',
  text: 'select endpoint_id as id from webhook_endpoint_states where organization_id = $1 order by endpoint_id',
};
