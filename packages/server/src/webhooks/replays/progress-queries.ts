import { many, maybeOne, type Queries, statement } from '../../database/index.ts';
import { type EndpointKey, idsOf } from '../endpoint-state/endpoint-key.ts';
import type { Candidate, Portion } from './replay-rules.ts';

/** The key of a running replay. */
export interface ReplayKey extends EndpointKey {
  id: string;
}

/** A running replay, and whether its endpoint is active, so that it can continue. */
export interface RunningReplayRow extends ReplayKey {
  is_active: boolean;
}

/** The progress of a running replay. */
export interface ProgressRow extends ReplayKey {
  until: Date;
  only_failed: boolean;
  after_created_at: Date;
  after_id: string;
  created_at: Date;
  /** Attempts of replays that wait to begin. */
  waiting: number;
  /** Whether the delivery that was started last waits for its first or second attempt, or has one of them in flight. */
  is_last_trying: boolean;
}

const KEY = { organizationId: 'text', endpointId: 'text' } as const;

/**
 * Up to `limit` running replays after this one, in the order of their keys. Runs several times a second, so it limits
 * the page before it looks up the endpoints, one by one by key.
 */
export const listRunningReplays = statement({
  name: 'list_running_replays',
  parameters: { afterOrganizationId: 'text', afterEndpointId: 'text', afterId: 'text', limit: 'integer' },
  returns: many<RunningReplayRow>(),
  sql: ({ afterOrganizationId, afterEndpointId, afterId, limit }) => `select r.*, coalesce((
        select status = 'active' from webhook_endpoint_states
        where organization_id = r.organization_id and endpoint_id = r.endpoint_id
      ), false) as is_active
    from (
      select organization_id, endpoint_id, id from webhook_replays
      where status = 'running' and (organization_id, endpoint_id, id) > (${afterOrganizationId}, ${afterEndpointId}, ${afterId})
      order by organization_id, endpoint_id, id limit ${limit}
    ) r`,
});

/** The progress of a replay; the endpoint's lock is held. Counts waiting attempts up to `limit`. */
export const findProgress = statement({
  name: 'find_progress',
  parameters: { ...KEY, id: 'text', limit: 'integer' },
  returns: maybeOne<ProgressRow>(),
  sql: ({
    organizationId,
    endpointId,
    id,
    limit,
  }) => `select organization_id, endpoint_id, id, until, only_failed, after_created_at, after_id, created_at,
      (select count(*)::integer from (
        select from webhook_planned_attempts where organization_id = ${organizationId} and endpoint_id = ${endpointId} and priority = 2
          and claim_id is null limit ${limit}
      ) w) as waiting,
      exists (
        select from webhook_deliveries d
        where d.organization_id = ${organizationId} and d.id = r.after_id and d.status = 'pending' and d.step < 2
      ) as is_last_trying
    from webhook_replays r where organization_id = ${organizationId} and endpoint_id = ${endpointId} and id = ${id} and status = 'running'`,
});

/** The next `limit` deliveries of a replay that began at `replayedSince`, the oldest first. */
export const listCandidates = statement({
  name: 'list_candidates',
  parameters: {
    ...KEY,
    statuses: 'text[]',
    afterCreatedAt: 'timestamptz',
    afterId: 'text',
    until: 'timestamptz',
    replayedSince: 'timestamptz',
    limit: 'integer',
  },
  returns: many<Candidate>(),
  sql: ({ organizationId, endpointId, statuses, afterCreatedAt, afterId, until, replayedSince, limit }) =>
    `select d.id, d.created_at, coalesce(d.last_attempt_at >= ${replayedSince}, false) as is_attempted
    from unnest(${statuses}) as s (status) cross join lateral (
      select id, created_at, last_attempt_at from webhook_deliveries
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} and status = s.status
        and (created_at, id) > (${afterCreatedAt}, ${afterId}) and created_at < ${until} and test_object is null
      order by created_at, id limit ${limit}
    ) d
    order by d.created_at, d.id limit ${limit}`,
});

/**
 * Plans the attempts of a portion, one per ID, and records the progress of the replay, and its completion if a time is
 * given; the endpoint's lock is held.
 */
export async function writePortion(
  tx: Queries,
  key: ReplayKey,
  { deliveryIds, position }: Portion,
  attemptIds: readonly string[],
  completedAt: Date | null,
): Promise<void> {
  if (deliveryIds.length > 0) {
    await insertReplayAttempts(tx, { ...idsOf(key), deliveryIds, attemptIds });
  }
  await updateProgress(tx, {
    ...idsOf(key),
    id: key.id,
    started: deliveryIds.length,
    createdAt: position?.createdAt ?? null,
    deliveryId: position?.id ?? null,
    completedAt,
  });
}

/**
 * Due a millisecond apart, which keeps their order, and all of them by now; or after the last one of the previous
 * portion, if that has not begun.
 */
const insertReplayAttempts = statement({
  name: 'plan_replay_attempts',
  parameters: { ...KEY, deliveryIds: 'text[]', attemptIds: 'text[]' },
  sql: ({ organizationId, endpointId, deliveryIds, attemptIds }) => `with start as materialized (
      select greatest(
        date_trunc('milliseconds', clock_timestamp()) - cardinality(${deliveryIds}) * interval '1 millisecond',
        (select due_at from webhook_planned_attempts where organization_id = ${organizationId} and endpoint_id = ${endpointId} and priority = 2
          and claim_id is null order by due_at desc limit 1)
      ) as after
    ), given as (
      select g.id, g.attempt_id, start.after + g.place * interval '1 millisecond' as due_at
      from unnest(${deliveryIds}, ${attemptIds}) with ordinality as g (id, attempt_id, place), start
    ), begun as (
      update webhook_deliveries d set status = 'pending', step = 0, next_attempt_id = g.attempt_id,
        next_attempt_at = g.due_at
      from given g where d.organization_id = ${organizationId} and d.id = g.id
      returning d.id, d.next_attempt_id, d.next_attempt_at
    ), planned as (
      insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      select ${organizationId}, ${endpointId}, next_attempt_id, id, 'replay', 2, next_attempt_at from begun
      returning due_at
    )
    update webhook_endpoint_states set turn_at = least(turn_at, (select min(due_at) from planned))
    where organization_id = ${organizationId} and endpoint_id = ${endpointId}`,
});

const updateProgress = statement({
  name: 'update_progress',
  parameters: {
    ...KEY,
    id: 'text',
    started: 'integer',
    createdAt: 'timestamptz | null',
    deliveryId: 'text | null',
    completedAt: 'timestamptz | null',
  },
  sql: ({ organizationId, endpointId, id, started, createdAt, deliveryId, completedAt }) =>
    `update webhook_replays set replayed = replayed + ${started}, after_created_at = coalesce(${createdAt}, after_created_at),
      after_id = coalesce(${deliveryId}, after_id), status = case when ${completedAt} is null then status else 'completed' end,
      completed_at = ${completedAt}
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and id = ${id}`,
});

/**
 * Holds a replay's planned deliveries at an endpoint that was paused or disabled, and rewinds the replay to the first
 * of them, so that it is replayed when the endpoint is active again. The endpoint's lock is held. The ID without its
 * last character sorts before the ID itself and after any earlier ID.
 */
export const updateReplayRewound = statement({
  name: 'rewind_replay',
  parameters: KEY,
  sql: ({ organizationId, endpointId }) => `with gone as (
      delete from webhook_planned_attempts
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} and priority = 2 and claim_id is null
      returning id, delivery_id
    ), held as (
      update webhook_deliveries d set status = 'held', next_attempt_id = null, next_attempt_at = null
      from gone g where d.organization_id = ${organizationId} and d.id = g.delivery_id and d.next_attempt_id = g.id
      returning d.id, d.created_at
    ), first as (
      select r.id as replay_id, h.id, h.created_at, count(*) over () as held from webhook_replays r
      join held h on h.created_at >= r.since and h.created_at < r.until
      where r.organization_id = ${organizationId} and r.endpoint_id = ${endpointId} and r.status = 'running'
        and (h.created_at, h.id) <= (r.after_created_at, r.after_id)
      order by h.created_at, h.id limit 1
    )
    update webhook_replays r set after_created_at = f.created_at, after_id = left(f.id, -1),
      replayed = greatest(0, r.replayed - f.held)
    from first f where r.organization_id = ${organizationId} and r.endpoint_id = ${endpointId} and r.id = f.replay_id`,
});
