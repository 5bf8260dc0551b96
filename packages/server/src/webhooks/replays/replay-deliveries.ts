import { newId } from '../../ids/index.ts';
import type { Delivering } from '../delivering/delivering.ts';
import { lockEndpointStates } from '../delivering/state-queries.ts';
import { findProgress, listCandidates, listRunningReplays, type ReplayKey, writePortion } from './progress-queries.ts';
import { choosePortion, roomFor } from './replay-rules.ts';

/**
 * Takes up what running replays still have before them, a portion of each: no more attempts of replays wait at an endpoint
 * than one portion, however many deliveries there are, and one alone at an endpoint that fails. How far a replay has come is
 * written with what it plans, so any process goes on from there. Answers by `run` whether there may be more.
 */
export class Replayer {
  readonly #delivering: Pick<Delivering, 'database' | 'due'>;
  /** Where the walk through all running replays is; another process, or this one started anew, begins at the first. */
  #after: ReplayKey | undefined;

  constructor(delivering: Pick<Delivering, 'database' | 'due'>) {
    this.#delivering = delivering;
  }

  async run(): Promise<boolean> {
    const running = await listRunningReplays(this.#delivering.database, this.#after, REPLAYS);
    this.#after = running.length < REPLAYS ? undefined : running.at(-1);
    for (const replay of running.filter((each) => each.is_active)) {
      await this.#takeUp(replay);
    }
    return this.#after !== undefined;
  }

  async #takeUp(key: ReplayKey): Promise<void> {
    const { database, due } = this.#delivering;
    const planned = await database.transaction(async (tx) => {
      const [state] = await lockEndpointStates(tx, [key]);
      const progress = state?.status === 'active' ? await findProgress(tx, key, PORTION) : undefined;
      if (state === undefined || progress === undefined) {
        return 0;
      }
      const room = roomFor(state.failures_in_row, progress, PORTION);
      if (room === 0) {
        return 0;
      }
      const candidates = await listCandidates(tx, progress, CANDIDATES);
      const portion = choosePortion(candidates, room, CANDIDATES);
      // Not before the last attempt has begun: what waits would come back to the replay if the endpoint were paused.
      const isOver = portion.isLast && portion.deliveryIds.length === 0 && progress.waiting === 0;
      const attemptIds = portion.deliveryIds.map(() => newId('attempt'));
      if (isOver || portion.position !== undefined) {
        await writePortion(tx, key, portion, attemptIds, isOver ? state.now : null);
      }
      return attemptIds.length;
    });
    if (planned > 0) {
      due.swift.ring();
      due.cautious.ring();
    }
  }
}

const REPLAYS = 200;
const PORTION = 50;
/** More than a portion, since some may have been attempted already and are passed. */
const CANDIDATES = 500;
