import type { Queries } from '../../database/index.ts';
import { newId } from '../../ids/index.ts';
import { idsOf } from '../endpoint-state/endpoint-key.ts';
import { type DueNudges, ringBothLanes } from '../endpoint-state/lanes.ts';
import { lockEndpointStates } from '../endpoint-state/state-queries.ts';
import { findProgress, listCandidates, listRunningReplays, type ReplayKey, writePortion } from './progress-queries.ts';
import { replayedStatuses } from './queries.ts';
import { capacityFor, choosePortion } from './replay-rules.ts';

/** The dependencies of replays. */
export interface ReplayTools {
  database: Queries;
  due: DueNudges;
}

/**
 * Continues running replays, a portion of each: at most one portion of replay attempts waits at an endpoint, regardless
 * of the number of deliveries, and only one attempt if the endpoint is failing. The progress is written together with
 * the planned attempts, so any process can continue it. `run` returns whether there may be more.
 */
export class Replayer {
  readonly #tools: ReplayTools;
  /** The position among all running replays; another process, or this one after a restart, begins with the first. */
  #after: ReplayKey | undefined;

  constructor(tools: ReplayTools) {
    this.#tools = tools;
  }

  async run(): Promise<boolean> {
    const running = await listRunningReplays(this.#tools.database, {
      afterOrganizationId: this.#after?.organization_id ?? '',
      afterEndpointId: this.#after?.endpoint_id ?? '',
      afterId: this.#after?.id ?? '',
      limit: REPLAYS,
    });
    this.#after = running.length < REPLAYS ? undefined : running.at(-1);
    for (const replay of running.filter((each) => each.is_active)) {
      await this.#continue(replay);
    }
    return this.#after !== undefined;
  }

  async #continue(key: ReplayKey): Promise<void> {
    const { database, due } = this.#tools;
    const ids = idsOf(key);
    const planned = await database.transaction(async (tx) => {
      const [state] = await lockEndpointStates(tx, [key]);
      const progress =
        state?.status === 'active' ? await findProgress(tx, { ...ids, id: key.id, limit: PORTION }) : undefined;
      if (state === undefined || progress === undefined) {
        return 0;
      }
      const available = capacityFor(state.failures_in_row, progress, PORTION);
      if (available === 0) {
        return 0;
      }
      const candidates = await listCandidates(tx, {
        ...ids,
        statuses: replayedStatuses(progress.only_failed),
        afterCreatedAt: progress.after_created_at,
        afterId: progress.after_id,
        until: progress.until,
        replayedSince: progress.created_at,
        limit: CANDIDATES,
      });
      const portion = choosePortion(candidates, available, CANDIDATES);
      // Not before the last attempt has begun, because waiting ones would return to the replay if the endpoint were
      // paused.
      const isComplete = portion.isLast && portion.deliveryIds.length === 0 && progress.waiting === 0;
      const attemptIds = portion.deliveryIds.map(() => newId('attempt'));
      if (isComplete || portion.position !== undefined) {
        await writePortion(tx, key, portion, attemptIds, isComplete ? state.now : null);
      }
      return attemptIds.length;
    });
    if (planned > 0) {
      ringBothLanes(due);
    }
  }
}

const REPLAYS = 200;
const PORTION = 50;
/** More than a portion, because some may already have been attempted and are skipped. */
const CANDIDATES = 500;
