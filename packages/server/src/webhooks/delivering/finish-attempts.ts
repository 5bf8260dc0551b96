import { newId } from '../../ids/index.ts';
import type { AttemptResult } from '../sending/sender.ts';
import type { Claimed } from './claim-attempts.ts';
import { type Delivering, keyOf } from './delivering.ts';
import { type EndedAttempt, type FinishedRow, insertEndedAttempts } from './finish-queries.ts';
import { giveUpEndpoint } from './give-up-endpoint.ts';
import { type Health, healthAfter, isGivenUp } from './health-rules.ts';
import {
  type EndpointStateRow,
  lockFreeEndpointStates,
  type StateChange,
  updateEndpointStates,
} from './state-queries.ts';

/** An attempt and what came of it. Times are by `performance.now()`. */
export interface Ended {
  attempt: Claimed;
  result: Omit<AttemptResult, 'error'> & { error: string | null };
  beganAtMs: number;
  endedAtMs: number;
  /** False where nothing left the service: that says nothing of the endpoint. */
  wasSent: boolean;
  isFinal: boolean;
}

/** Whether an attempt was written, or is to be tried again since somebody else had its endpoint locked. */
export type Written = 'written' | 'busy';

/**
 * Writes attempts that ended and how their endpoints stand now, in one transaction. What was claimed anew by another since,
 * because the lease ended, is passed over: its attempt counts, not this one. It waits for nobody's lock: one endpoint's must
 * not keep the others' results from being written.
 */
export async function finishAttempts(delivering: Delivering, all: readonly Ended[]): Promise<Written[]> {
  const { ready, outcomes } = await delivering.database.transaction(async (tx) => {
    const keys = new Map(all.map(({ attempt }) => [keyOf(attempt), attempt]));
    const { states, isBusy } = await lockFreeEndpointStates(tx, [...keys.values()]);
    const outcomes = all.map(({ attempt }): Written => (isBusy(attempt) ? 'busy' : 'written'));
    const ended = all.filter((_each, place) => outcomes[place] === 'written');
    const statuses = new Map(states.map((each) => [keyOf(each), each.status]));
    const finished: FinishedRow[] = [];
    for (const portion of withoutTwins(ended)) {
      const rows = portion.map((each) => toRow(each, statuses.get(keyOf(each.attempt)) === 'active'));
      finished.push(...(await insertEndedAttempts(tx, rows, delivering.retryDelaysSeconds)));
    }
    const results = new Map(ended.map((each) => [each.attempt.id, each]));
    const byEndpoint = Map.groupBy(finished, keyOf);
    const changes = states.flatMap((state) => {
      const rows = byEndpoint.get(keyOf(state));
      return rows === undefined ? [] : [{ state, change: changeOf(state, rows, results) }];
    });
    const ready = await updateEndpointStates(
      tx,
      changes.map((each) => each.change),
    );
    for (const { state, change } of changes) {
      if (state.status === 'active' && isGivenUp(change.health, state.now)) {
        await giveUpEndpoint(delivering, tx, state);
      }
    }
    return { ready: ready.filter((each) => each.is_ready), outcomes };
  });
  for (const lane of ['swift', 'cautious'] as const) {
    if (ready.some((each) => each.is_cautious === (lane === 'cautious'))) {
      delivering.due[lane].ring();
    }
  }
  return outcomes;
}

/** One statement changes a delivery once, so two attempts at one delivery go one after the other. */
function withoutTwins(ended: readonly Ended[]): Ended[][] {
  const portions: Ended[][] = [];
  const counts = new Map<string, number>();
  for (const each of ended) {
    const count = counts.get(each.attempt.delivery_id) ?? 0;
    counts.set(each.attempt.delivery_id, count + 1);
    const portion = portions[count] ?? [];
    portions[count] = portion;
    portion.push(each);
  }
  return portions;
}

function toRow({ attempt, result, beganAtMs, endedAtMs, isFinal }: Ended, isActive: boolean): EndedAttempt {
  const nowMs = performance.now();
  return {
    organization_id: attempt.organization_id,
    endpoint_id: attempt.endpoint_id,
    id: attempt.id,
    claimId: attempt.claimId,
    isActive,
    beganAgoMs: Math.round(nowMs - beganAtMs),
    endedAgoMs: Math.floor(nowMs - endedAtMs),
    durationMs: result.durationMs,
    statusCode: result.statusCode,
    error: result.error,
    address: result.address,
    responseExcerpt: result.responseExcerpt,
    isFinal,
    nextAttemptId: newId('attempt'),
  };
}

function changeOf(
  state: EndpointStateRow,
  rows: readonly FinishedRow[],
  results: ReadonlyMap<string, Ended>,
): StateChange {
  const before: Health = {
    inFlightLimit: state.in_flight_limit,
    swiftInRow: state.swift_in_row,
    isCautious: state.is_cautious,
    failuresInRow: state.failures_in_row,
    failingSince: state.failing_since,
    isSilent: state.is_silent,
  };
  const health = rows.reduce((known, row) => {
    const ended = results.get(row.id);
    if (ended === undefined || !ended.wasSent) {
      return known;
    }
    return healthAfter(known, {
      succeeded: ended.result.error === null,
      wasAnswered: ended.result.statusCode !== null,
      durationMs: ended.result.durationMs,
      endedAt: row.ended_at,
      isOfSchedule: row.kind === 'scheduled' || row.kind === 'replay',
    });
  }, before);
  const dueTimes = rows.flatMap((row) => (row.next_due_at === null ? [] : [row.next_due_at.getTime()]));
  return {
    organization_id: state.organization_id,
    endpoint_id: state.endpoint_id,
    ended: rows.length,
    health,
    nextDueAt: dueTimes.length === 0 ? null : new Date(Math.min(...dueTimes)),
  };
}
