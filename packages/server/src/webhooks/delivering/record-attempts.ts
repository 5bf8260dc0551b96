import { newId } from '../../ids/index.ts';
import { keyOf } from '../endpoint-state/endpoint-key.ts';
import { healthAfter, mustBeDisabled } from '../endpoint-state/health-rules.ts';
import { LANES } from '../endpoint-state/lanes.ts';
import {
  type EndpointStateRow,
  healthOf,
  lockFreeEndpointStates,
  type StateChange,
  updateEndpointStates,
} from '../endpoint-state/state-queries.ts';
import { planTakenDeliveries, type TakenKey } from '../endpoint-state/taken-queries.ts';
import type { ClaimedAttempt } from './claim-attempts.ts';
import type { DeliveryTools } from './delivery-tools.ts';
import { disableFailingEndpoint } from './disable-failing-endpoint.ts';
import { type FinishedRow, updateFinishedAttempts } from './finish-queries.ts';
import type { FinishedAttempt } from './send-attempt.ts';

/** Whether an attempt was written, or has to be resubmitted because another transaction had locked its endpoint. */
export type WriteOutcome = 'written' | 'busy';

/**
 * Records attempts that ended, and the state of their endpoints, in one transaction. It skips attempts claimed by
 * another process after the lease expired: that one counts. It never waits for a lock, because one endpoint must not
 * delay the results of others.
 */
export async function recordAttempts(tools: DeliveryTools, all: readonly FinishedAttempt[]): Promise<WriteOutcome[]> {
  const { ready, outcomes } = await tools.database.transaction(async (tx) => {
    const keys = new Map(all.map(({ attempt }) => [keyOf(attempt), attempt]));
    const { states, isBusy } = await lockFreeEndpointStates(tx, [...keys.values()]);
    const outcomes = all.map(({ attempt }): WriteOutcome => (isBusy(attempt) ? 'busy' : 'written'));
    const finished = all.filter((_each, place) => outcomes[place] === 'written');
    const statuses = new Map(states.map((each) => [keyOf(each), each.status]));
    await planTakenDeliveries(tx, takenOf(finished.map(({ attempt }) => attempt)));
    const rows: FinishedRow[] = [];
    for (const portion of splitByDelivery(finished)) {
      const attempts = portion.map((each) => toRow(each, statuses.get(keyOf(each.attempt)) === 'active'));
      rows.push(...(await updateFinishedAttempts(tx, { attempts, delaysSeconds: tools.retryDelaysSeconds })));
    }
    const byId = new Map(finished.map((each) => [each.attempt.id, each]));
    const byEndpoint = Map.groupBy(rows, keyOf);
    const changes = states.flatMap((state) => {
      const ofEndpoint = byEndpoint.get(keyOf(state));
      return ofEndpoint === undefined ? [] : [{ state, change: changeOf(state, ofEndpoint, byId) }];
    });
    const ready = await updateEndpointStates(
      tx,
      changes.map((each) => each.change),
    );
    for (const { state, change } of changes) {
      if (state.status === 'active' && mustBeDisabled(change.health, state.now)) {
        await disableFailingEndpoint(tx, tools, state);
      }
    }
    return { ready: ready.filter((each) => each.is_ready), outcomes };
  });
  for (const lane of LANES) {
    if (ready.some((each) => each.is_cautious === (lane === 'slow'))) {
      tools.due[lane].ring();
    }
  }
  return outcomes;
}

/** Attempts that were taken and not claimed. */
export function takenOf(attempts: readonly ClaimedAttempt[]): TakenKey[] {
  return attempts
    .filter((each) => each.taken !== undefined)
    .map(({ organization_id, delivery_id }) => ({ organization_id, delivery_id }));
}

/** One statement can change a delivery only once, so two attempts at one delivery go into different portions. */
function splitByDelivery(finished: readonly FinishedAttempt[]): FinishedAttempt[][] {
  const portions: FinishedAttempt[][] = [];
  const counts = new Map<string, number>();
  for (const each of finished) {
    const count = counts.get(each.attempt.delivery_id) ?? 0;
    counts.set(each.attempt.delivery_id, count + 1);
    const portion = portions[count] ?? [];
    portions[count] = portion;
    portion.push(each);
  }
  return portions;
}

function toRow({ attempt, result, beganAtMs, endedAtMs, isFinal }: FinishedAttempt, isActive: boolean) {
  const nowMs = performance.now();
  return {
    organization_id: attempt.organization_id,
    endpoint_id: attempt.endpoint_id,
    id: attempt.id,
    claim_id: attempt.claimId,
    is_active: isActive,
    began_ago_ms: Math.round(nowMs - beganAtMs),
    ended_ago_ms: Math.floor(nowMs - endedAtMs),
    duration_ms: result.durationMs,
    status_code: result.statusCode,
    error: result.error,
    address: result.address,
    response_excerpt: result.responseExcerpt,
    is_final: isFinal,
    next_attempt_id: newId('attempt'),
  };
}

function changeOf(
  state: EndpointStateRow,
  rows: readonly FinishedRow[],
  byId: ReadonlyMap<string, FinishedAttempt>,
): StateChange {
  const health = rows.reduce((known, row) => {
    const finished = byId.get(row.id);
    if (finished === undefined || !finished.wasSent) {
      return known;
    }
    return healthAfter(known, {
      succeeded: finished.result.error === null,
      wasAnswered: finished.result.statusCode !== null,
      durationMs: finished.result.durationMs,
      endedAt: row.ended_at,
      isOfSchedule: row.kind === 'scheduled' || row.kind === 'replay',
    });
  }, healthOf(state));
  const dueTimes = rows.flatMap((row) => (row.next_due_at === null ? [] : [row.next_due_at.getTime()]));
  return {
    organization_id: state.organization_id,
    endpoint_id: state.endpoint_id,
    ended: rows.length,
    health,
    nextDueAt: dueTimes.length === 0 ? null : new Date(Math.min(...dueTimes)),
  };
}
