import { type CompiledQuery, sql } from 'kysely';
import { build, type Queries, type Statement } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';
import type { EndpointStateRow } from '../delivering/state-queries.ts';

/** A replay as it is kept; all times are the organization's own. */
export interface ReplayRow {
  id: string;
  endpoint_id: string;
  status: 'running' | 'completed' | 'canceled';
  since: Date;
  until: Date;
  only_failed: boolean;
  total: number;
  replayed: number;
  created_at: Date;
  completed_at: Date | null;
}

/** Which deliveries a replay is about. */
export interface ReplayScope {
  since: Date;
  until: Date;
  onlyFailed: boolean;
}

/** The statuses of the deliveries that a replay takes. */
export function replayedStatuses(onlyFailed: boolean): readonly string[] {
  return onlyFailed ? ['failed', 'held'] : ['failed', 'held', 'succeeded'];
}

/** How an endpoint stands at this moment of the organization's own time; undefined when there is none. Locks nothing. */
export async function findEndpointNow(
  database: Queries,
  key: EndpointKey,
): Promise<{ status: EndpointStateRow['status']; now: Date } | undefined> {
  return (await database.query(FIND_ENDPOINT_NOW, [key.organization_id, key.endpoint_id]))[0];
}

/** How many deliveries a replay would take now, counted up to `most`. */
export async function countReplayable(
  database: Queries,
  key: EndpointKey,
  { since, until, onlyFailed }: ReplayScope,
  most: number,
): Promise<number> {
  const values = [key.organization_id, key.endpoint_id, replayedStatuses(onlyFailed), since, until, most];
  return (await database.query(COUNT_REPLAYABLE, values))[0]?.total ?? 0;
}

/** Whether a replay of the endpoint runs; its lock is held. */
export async function hasRunningReplay(tx: Queries, key: EndpointKey): Promise<boolean> {
  return (await tx.query(FIND_RUNNING_REPLAY, [key.organization_id, key.endpoint_id])).length > 0;
}

/** Writes a replay that begins with the first delivery of its scope; the endpoint's lock is held. */
export async function insertReplay(
  tx: Queries,
  key: EndpointKey,
  id: string,
  { since, until, onlyFailed }: ReplayScope,
  total: number,
  now: Date,
): Promise<ReplayRow> {
  const values = [key.organization_id, key.endpoint_id, id, since, until, onlyFailed, total, now];
  const [row] = await tx.query(INSERT_REPLAY, values);
  if (row === undefined) {
    throw new Error('a replay was written and not answered');
  }
  return row;
}

/** One replay of an endpoint, or undefined. */
export async function findReplay(database: Queries, key: EndpointKey, id: string): Promise<ReplayRow | undefined> {
  return (await database.query(FIND_REPLAY, [key.organization_id, key.endpoint_id, id]))[0];
}

/** Ends a running replay, or answers undefined when it runs no more; the endpoint's lock is held. */
export async function updateCanceledReplay(
  tx: Queries,
  key: EndpointKey,
  id: string,
  now: Date,
): Promise<ReplayRow | undefined> {
  return (await tx.query(CANCEL_REPLAY, [key.organization_id, key.endpoint_id, id, now]))[0];
}

/** A page of an endpoint's replays; one row more than the page where there is more. */
export function listReplays(organizationId: string, endpointId: string, page: PageRequest): CompiledQuery<ReplayRow> {
  const { status, created_after: createdAfter, created_before: createdBefore } = page.filters;
  let query = build
    .selectFrom('webhook_replays')
    .select(['id', 'endpoint_id', 'since', 'until', 'only_failed', 'total', 'replayed', 'created_at', 'completed_at'])
    .select(sql<ReplayRow['status']>`status`.as('status'))
    .where('organization_id', '=', organizationId)
    .where('endpoint_id', '=', endpointId);
  if (status !== undefined) {
    query = query.where('status', '=', status);
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

const COLUMNS = 'id, endpoint_id, status, since, until, only_failed, total, replayed, created_at, completed_at';

const FIND_ENDPOINT_NOW: Statement<{ status: EndpointStateRow['status']; now: Date }> = {
  name: 'find_endpoint_now',
  text: `select s.status, clock_timestamp() + o.clock_offset_ms * interval '1 millisecond' as now
    from webhook_endpoint_states s join organizations o on o.id = s.organization_id
    where s.organization_id = $1 and s.endpoint_id = $2`,
};

/** Along the index, one status after the other; what was only a test is nobody's event, and never sent again. */
const COUNT_REPLAYABLE: Statement<{ total: number }> = {
  name: 'count_replayable',
  text: `select count(*)::integer as total from (
      select from unnest($3::text[]) as s (status) cross join lateral (
        select from webhook_deliveries where organization_id = $1 and endpoint_id = $2 and status = s.status
          and created_at >= $4 and created_at < $5 and test_object is null
        limit $6
      ) d
      limit $6
    ) c`,
};

const FIND_RUNNING_REPLAY: Statement<{ id: string }> = {
  name: 'find_running_replay',
  text: `select id from webhook_replays where organization_id = $1 and endpoint_id = $2 and status = 'running' limit 1`,
};

/** No identifier is less than the empty one, so the first delivery is the first at `since`. */
const INSERT_REPLAY: Statement<ReplayRow> = {
  name: 'insert_replay',
  text: `insert into webhook_replays (organization_id, endpoint_id, id, status, since, until, only_failed, total,
      after_created_at, after_id, created_at)
    values ($1, $2, $3, 'running', $4, $5, $6, $7, $4, '', $8)
    returning ${COLUMNS}`,
};

const FIND_REPLAY: Statement<ReplayRow> = {
  name: 'find_replay',
  text: `select ${COLUMNS} from webhook_replays where organization_id = $1 and endpoint_id = $2 and id = $3`,
};

const CANCEL_REPLAY: Statement<ReplayRow> = {
  name: 'cancel_replay',
  text: `update webhook_replays set status = 'canceled', completed_at = $4
    where organization_id = $1 and endpoint_id = $2 and id = $3 and status = 'running'
    returning ${COLUMNS}`,
};
