import { count, maybeOne, one, statement, wallTime } from '../../database/index.ts';
import type { EndpointStatus } from '../endpoint-state/state-queries.ts';

/** A replay as stored; all times are by the organization's own clock. */
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

/** The scope of a replay. */
export interface ReplayScope {
  since: Date;
  until: Date;
  onlyFailed: boolean;
}

/** The statuses of deliveries that a replay includes. */
export function replayedStatuses(onlyFailed: boolean): readonly string[] {
  return onlyFailed ? ['failed', 'held'] : ['failed', 'held', 'succeeded'];
}

export const REPLAY_COLUMNS =
  'id, endpoint_id, status, since, until, only_failed, total, replayed, created_at, completed_at';

const KEY = { organizationId: 'text', endpointId: 'text' } as const;

/** The status of an endpoint, and the time by the organization's own clock. Locks nothing. */
export const findEndpointNow = statement({
  name: 'find_endpoint_now',
  parameters: { ...KEY, clockOffsetMs: 'bigint' },
  returns: maybeOne<{ status: EndpointStatus; now: Date }>(),
  sql: ({ organizationId, endpointId, clockOffsetMs }) => `
    select status, ${wallTime(clockOffsetMs)} as now from webhook_endpoint_states
    where organization_id = ${organizationId} and endpoint_id = ${endpointId}`,
});

/**
 * How many deliveries a replay would send now, counted up to `limit`: by the index, one status after the other. Test
 * events have no organization and are never replayed.
 */
export const countReplayable = statement({
  name: 'count_replayable',
  parameters: { ...KEY, statuses: 'text[]', since: 'timestamptz', until: 'timestamptz', limit: 'integer' },
  returns: one<{ total: number }>(),
  sql: ({ organizationId, endpointId, statuses, since, until, limit }) => `select count(*)::integer as total from (
      select from unnest(${statuses}) as s (status) cross join lateral (
        select from webhook_deliveries where organization_id = ${organizationId} and endpoint_id = ${endpointId}
          and status = s.status and created_at >= ${since} and created_at < ${until} and test_object is null
        limit ${limit}
      ) d
      limit ${limit}
    ) c`,
});

/** Counts 1 if a replay of the endpoint runs; its lock is held. */
export const countRunningReplays = statement({
  name: 'find_running_replay',
  parameters: KEY,
  returns: count(),
  sql: ({ organizationId, endpointId }) => `select id from webhook_replays
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and status = 'running' limit 1`,
});

/**
 * Writes a replay that begins with the first delivery of its scope; the endpoint's lock is held. The empty ID sorts
 * before all others, so the first delivery is the first at `since`.
 */
export const insertReplay = statement({
  name: 'insert_replay',
  parameters: {
    ...KEY,
    id: 'text',
    since: 'timestamptz',
    until: 'timestamptz',
    onlyFailed: 'boolean',
    total: 'integer',
    now: 'timestamptz',
  },
  returns: one<ReplayRow>(),
  sql: ({ organizationId, endpointId, id, since, until, onlyFailed, total, now }) =>
    `insert into webhook_replays (organization_id, endpoint_id, id, status, since, until, only_failed, total,
      after_created_at, after_id, created_at)
    values (${organizationId}, ${endpointId}, ${id}, 'running', ${since}, ${until}, ${onlyFailed}, ${total}, ${since}, '', ${now})
    returning ${REPLAY_COLUMNS}`,
});

/** One replay of an endpoint. */
export const findReplay = statement({
  name: 'find_replay',
  parameters: { ...KEY, id: 'text' },
  returns: maybeOne<ReplayRow>(),
  sql: ({ organizationId, endpointId, id }) => `select ${REPLAY_COLUMNS} from webhook_replays
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and id = ${id}`,
});

/** Cancels a replay, or returns undefined if it is not running; the endpoint's lock is held. */
export const updateCanceledReplay = statement({
  name: 'cancel_replay',
  parameters: { ...KEY, id: 'text', now: 'timestamptz' },
  returns: maybeOne<ReplayRow>(),
  sql: ({ organizationId, endpointId, id, now }) =>
    `update webhook_replays set status = 'canceled', completed_at = ${now}
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and id = ${id} and status = 'running'
    returning ${REPLAY_COLUMNS}`,
});
