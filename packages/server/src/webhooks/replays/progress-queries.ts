import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';
import { replayedStatuses } from './queries.ts';
import type { Candidate, Portion } from './replay-rules.ts';

/** Where a running replay is found. */
export interface ReplayKey extends EndpointKey {
  id: string;
}

/** A running replay, and whether its endpoint is active, so that it can go on. */
export interface RunningReplayRow extends ReplayKey {
  is_active: boolean;
}

/** How far a running replay has come. */
export interface ProgressRow extends ReplayKey {
  until: Date;
  only_failed: boolean;
  after_created_at: Date;
  after_id: string;
  created_at: Date;
  /** Attempts of replays that wait to begin. */
  waiting: number;
  /** Whether the delivery that was taken up last waits for its first attempt or its second, or one of them is under way. */
  is_last_trying: boolean;
}

/** Up to `limit` running replays, those after `after` in the order of their keys. */
export async function listRunningReplays(
  database: Queries,
  after: ReplayKey | undefined,
  limit: number,
): Promise<RunningReplayRow[]> {
  const { organization_id: organization = '', endpoint_id: endpoint = '', id = '' } = after ?? {};
  return database.query(LIST_RUNNING_REPLAYS, [organization, endpoint, id, limit]);
}

/** How far a replay has come, or undefined when it runs no more; the endpoint's lock is held. `most` bounds what is counted. */
export async function findProgress(tx: Queries, key: ReplayKey, most: number): Promise<ProgressRow | undefined> {
  return (await tx.query(FIND_PROGRESS, [key.organization_id, key.endpoint_id, key.id, most]))[0];
}

/** The next `limit` deliveries that a replay comes to, the oldest first. */
export async function listCandidates(tx: Queries, progress: ProgressRow, limit: number): Promise<Candidate[]> {
  return tx.query(LIST_CANDIDATES, [
    progress.organization_id,
    progress.endpoint_id,
    replayedStatuses(progress.only_failed),
    progress.after_created_at,
    progress.after_id,
    progress.until,
    progress.created_at,
    limit,
  ]);
}

/**
 * Plans the attempts of a portion, one for each identifier, and notes how far the replay has come, and that it is over where
 * a time for that is given; the endpoint's lock is held.
 */
export async function writePortion(
  tx: Queries,
  key: ReplayKey,
  portion: Portion,
  attemptIds: readonly string[],
  completedAt: Date | null,
): Promise<void> {
  const { organization_id: organization, endpoint_id: endpoint, id } = key;
  if (portion.deliveryIds.length > 0) {
    await tx.query(PLAN_REPLAY_ATTEMPTS, [organization, endpoint, portion.deliveryIds, attemptIds]);
  }
  await tx.query(UPDATE_PROGRESS, [
    organization,
    endpoint,
    id,
    portion.deliveryIds.length,
    portion.position?.createdAt ?? null,
    portion.position?.id ?? null,
    completedAt,
  ]);
}

/**
 * Makes what a replay planned at an endpoint that was paused or disabled held again, and sends the replay back to the first
 * of it, so that it is taken up anew when the endpoint is active again. The endpoint's lock is held.
 */
export async function rewindReplay(tx: Queries, key: EndpointKey): Promise<void> {
  await tx.query(REWIND_REPLAY, [key.organization_id, key.endpoint_id]);
}

/** Asked several times a second: the page is cut before the endpoints are looked up, one by one along their key. */
const LIST_RUNNING_REPLAYS: Statement<RunningReplayRow> = {
  name: 'list_running_replays',
  text: `select r.*, coalesce((
        select status = 'active' from webhook_endpoint_states
        where organization_id = r.organization_id and endpoint_id = r.endpoint_id
      ), false) as is_active
    from (
      select organization_id, endpoint_id, id from webhook_replays
      where status = 'running' and (organization_id, endpoint_id, id) > ($1, $2, $3)
      order by organization_id, endpoint_id, id limit $4
    ) r`,
};

const FIND_PROGRESS: Statement<ProgressRow> = {
  name: 'find_progress',
  text: `select organization_id, endpoint_id, id, until, only_failed, after_created_at, after_id, created_at,
      (select count(*)::integer from (
        select from webhook_planned_attempts where organization_id = $1 and endpoint_id = $2 and priority = 2
          and claim_id is null limit $4
      ) w) as waiting,
      exists (
        select from webhook_deliveries d
        where d.organization_id = $1 and d.id = r.after_id and d.status = 'pending' and d.step < 2
      ) as is_last_trying
    from webhook_replays r where organization_id = $1 and endpoint_id = $2 and id = $3 and status = 'running'`,
};

const LIST_CANDIDATES: Statement<Candidate> = {
  name: 'list_candidates',
  text: `select d.id, d.created_at, coalesce(d.last_attempt_at >= $7, false) as is_attempted
    from unnest($3::text[]) as s (status) cross join lateral (
      select id, created_at, last_attempt_at from webhook_deliveries
      where organization_id = $1 and endpoint_id = $2 and status = s.status
        and (created_at, id) > ($4, $5) and created_at < $6 and test_object is null
      order by created_at, id limit $8
    ) d
    order by d.created_at, d.id limit $8`,
};

/**
 * Due a millisecond apart, which keeps them in their order, and all of them by now; or after the last of the portion before,
 * where that is still to come.
 */
const PLAN_REPLAY_ATTEMPTS: Statement<never> = {
  name: 'plan_replay_attempts',
  text: `with start as materialized (
      select greatest(
        date_trunc('milliseconds', clock_timestamp()) - cardinality($3::text[]) * interval '1 millisecond',
        (select due_at from webhook_planned_attempts where organization_id = $1 and endpoint_id = $2 and priority = 2
          and claim_id is null order by due_at desc limit 1)
      ) as after
    ), given as (
      select g.id, g.attempt_id, start.after + g.place * interval '1 millisecond' as due_at
      from unnest($3::text[], $4::text[]) with ordinality as g (id, attempt_id, place), start
    ), begun as (
      update webhook_deliveries d set status = 'pending', step = 0, next_attempt_id = g.attempt_id,
        next_attempt_at = g.due_at
      from given g where d.organization_id = $1 and d.id = g.id
      returning d.id, d.next_attempt_id, d.next_attempt_at
    ), planned as (
      insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      select $1, $2, next_attempt_id, id, 'replay', 2, next_attempt_at from begun
      returning due_at
    )
    update webhook_endpoint_states set turn_at = least(turn_at, (select min(due_at) from planned))
    where organization_id = $1 and endpoint_id = $2`,
};

const UPDATE_PROGRESS: Statement<never> = {
  name: 'update_progress',
  text: `update webhook_replays set replayed = replayed + $4, after_created_at = coalesce($5, after_created_at),
      after_id = coalesce($6, after_id), status = case when $7::timestamptz is null then status else 'completed' end,
      completed_at = $7
    where organization_id = $1 and endpoint_id = $2 and id = $3`,
};

/** One character less sorts before the identifier itself and after whatever came before it. */
const REWIND_REPLAY: Statement<never> = {
  name: 'rewind_replay',
  text: `with gone as (
      delete from webhook_planned_attempts
      where organization_id = $1 and endpoint_id = $2 and priority = 2 and claim_id is null
      returning id, delivery_id
    ), held as (
      update webhook_deliveries d set status = 'held', next_attempt_id = null, next_attempt_at = null
      from gone g where d.organization_id = $1 and d.id = g.delivery_id and d.next_attempt_id = g.id
      returning d.id, d.created_at
    ), first as (
      select r.id as replay_id, h.id, h.created_at, count(*) over () as held from webhook_replays r
      join held h on h.created_at >= r.since and h.created_at < r.until
      where r.organization_id = $1 and r.endpoint_id = $2 and r.status = 'running'
        and (h.created_at, h.id) <= (r.after_created_at, r.after_id)
      order by h.created_at, h.id limit 1
    )
    update webhook_replays r set after_created_at = f.created_at, after_id = left(f.id, -1),
      replayed = greatest(0, r.replayed - f.held)
    from first f where r.organization_id = $1 and r.endpoint_id = $2 and r.id = f.replay_id`,
};
