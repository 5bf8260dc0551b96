import { type EndpointKey, keyOf } from '../endpoint-state/endpoint-key.ts';
import { type Health, healthAfter } from '../endpoint-state/health-rules.ts';
import {
  type EndpointStateRow,
  healthOf,
  lockFreeEndpointStates,
  type StateChange,
  updateEndpointStates,
} from '../endpoint-state/state-queries.ts';
import type { DeliveryTools } from './delivery-tools.ts';
import type { FinishedAttempt } from './send-attempt.ts';
import { insertSucceededDeliveries } from './take-queries.ts';

/**
 * Writes the history of first attempts that succeeded, in one statement that locks nothing. Returns for each whether it
 * was written; the others are planned by now, and are recorded like claimed attempts.
 */
export async function finishTaken(tools: DeliveryTools, all: readonly FinishedAttempt[]): Promise<boolean[]> {
  const written = await insertSucceededDeliveries(tools.database, { attempts: all.map(toRow) });
  const ids = new Set(written.map(({ id }) => id));
  await recordHealth(tools, all);
  return all.map(({ attempt }) => ids.has(attempt.delivery_id));
}

function toRow({ attempt, result, beganAtMs }: FinishedAttempt) {
  return {
    organization_id: attempt.organization_id,
    delivery_id: attempt.delivery_id,
    claim_id: attempt.claimId,
    started_at: new Date(beganAtMs + (attempt.taken?.clockMs ?? 0)),
    duration_ms: result.durationMs,
    status_code: result.statusCode ?? 0,
    address: result.address,
    response_excerpt: result.responseExcerpt,
  };
}

/** The health of an endpoint that keeps answering well does not change, so most need no write. */
async function recordHealth(tools: DeliveryTools, all: readonly FinishedAttempt[]): Promise<void> {
  const telling = all.filter((each) => {
    const before = each.attempt.taken?.health;
    return before !== undefined && !isSame(before, healthAfterSuccess(before, each));
  });
  if (telling.length === 0) {
    return;
  }
  const byEndpoint = Map.groupBy(telling, ({ attempt }) => keyOf(attempt));
  const keys = [...byEndpoint.values()].flatMap(([first]): EndpointKey[] =>
    first === undefined ? [] : [first.attempt],
  );
  await tools.database.transaction(async (tx) => {
    // A locked endpoint is skipped, because the next attempt provides the same information.
    const { states } = await lockFreeEndpointStates(tx, keys);
    await updateEndpointStates(
      tx,
      states.map((state) => changeOf(state, byEndpoint.get(keyOf(state)) ?? [])),
    );
  });
}

function changeOf(state: EndpointStateRow, finished: readonly FinishedAttempt[]): StateChange {
  return {
    organization_id: state.organization_id,
    endpoint_id: state.endpoint_id,
    ended: 0,
    health: finished.reduce(healthAfterSuccess, healthOf(state)),
    nextDueAt: null,
  };
}

function healthAfterSuccess(before: Health, { result }: FinishedAttempt): Health {
  return healthAfter(before, {
    succeeded: true,
    wasAnswered: true,
    durationMs: result.durationMs,
    // The end time of a success is never read.
    endedAt: NEVER,
    isOfSchedule: true,
  });
}

function isSame(one: Health, other: Health): boolean {
  return (
    one.inFlightLimit === other.inFlightLimit &&
    one.fastInRow === other.fastInRow &&
    one.isSlow === other.isSlow &&
    one.failuresInRow === other.failuresInRow &&
    one.failingSince === other.failingSince &&
    one.isSilent === other.isSilent
  );
}

const NEVER = new Date(0);
