import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { type EndpointKey, idsOf } from '../endpoint-state/endpoint-key.ts';
import { lockEndpointStates } from '../endpoint-state/state-queries.ts';
import { presentReplay } from './present-replay.ts';
import {
  countReplayable,
  countRunningReplays,
  findEndpointNow,
  insertReplay,
  type ReplayScope,
  replayedStatuses,
} from './queries.ts';
import { parseSpan } from './replay-rules.ts';
import type { Replay, ReplayInput } from './schemas.ts';

/**
 * Starts a replay of an endpoint's deliveries of a time span, or only counts them. Throws not_found, validation_failed
 * for a span that ends before it begins, and conflict if the endpoint is not active or another replay of it is running.
 */
export async function startReplay(
  context: AuthorizedContext,
  endpointId: string,
  { since, until, only_failed: onlyFailed = true, dry_run: isDryRun = false }: ReplayInput,
): Promise<Answer<Replay>> {
  const { organizationId, clockOffsetMs } = context.principal;
  const key = { organization_id: organizationId, endpoint_id: endpointId };
  const endpoint = await findEndpointNow(context.database, { ...idsOf(key), clockOffsetMs });
  if (endpoint === undefined) {
    throw notFound('webhook');
  }
  const scope = { ...parseSpan(since, until, endpoint.now), onlyFailed };
  if (isDryRun) {
    const total = await countDeliveries(context.database, key, scope);
    return { status: 200, data: dryRun(endpointId, scope, total, endpoint.now) };
  }
  requireActive(endpoint.status);
  // Before the lock: counting a million takes a moment, during which the endpoint must get its events.
  const total = await countDeliveries(context.database, key, scope);
  return { data: await writeReplay(context, key, scope, total) };
}

async function writeReplay(
  context: AuthorizedContext,
  key: EndpointKey,
  scope: ReplayScope,
  total: number,
): Promise<Replay> {
  return context.database.transaction(async (tx) => {
    const [state] = await lockEndpointStates(tx, [key]);
    if (state === undefined) {
      throw notFound('webhook');
    }
    requireActive(state.status);
    if ((await countRunningReplays(tx, idsOf(key))) > 0) {
      throw httpError(
        'conflict',
        'A replay of this endpoint is already running. Wait until it completes, or cancel it.',
      );
    }
    const replay = presentReplay(
      await insertReplay(tx, { ...idsOf(key), id: newId('replay'), ...scope, total, now: state.now }),
    );
    await recordAudit(tx, actorOf(context), {
      action: 'webhook.replay_started',
      targetType: 'webhook_replay',
      targetId: replay.id,
      after: replay,
    });
    return replay;
  });
}

function requireActive(status: string): void {
  if (status !== 'active') {
    throw httpError('conflict', `The endpoint is ${status}. Set its status to active first.`);
  }
}

function dryRun(endpointId: string, { since, until, onlyFailed }: ReplayScope, total: number, now: Date): Replay {
  return {
    id: null,
    webhook_id: endpointId,
    status: 'dry_run',
    since: since.toISOString(),
    until: until.toISOString(),
    only_failed: onlyFailed,
    total,
    replayed: 0,
    created_at: now.toISOString(),
    completed_at: null,
  };
}

async function countDeliveries(
  database: Queries,
  key: EndpointKey,
  { since, until, onlyFailed }: ReplayScope,
): Promise<number> {
  const statuses = replayedStatuses(onlyFailed);
  const { total } = await countReplayable(database, { ...idsOf(key), statuses, since, until, limit: MAX_COUNTED });
  return total;
}

const MAX_COUNTED = 1_000_000;
