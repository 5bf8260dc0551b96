import type { UnfinishedEventRow } from '../../events/index.ts';
import { firstIdAgo } from '../../ids/index.ts';

/** What PostgreSQL says of its transactions. */
export interface Unfinished {
  oldest: bigint;
  next: bigint;
}

/**
 * Which events may still become visible. Transactions commit in another order than the ids of their events, so the highest
 * id that was read says nothing. What all transactions before the oldest unfinished one wrote is visible for certain;
 * of what later ones wrote, the events that were read are remembered until then.
 */
export class Visibility {
  /** No event before this id can become visible any more. */
  sinceId = firstIdAgo('event', LONGEST_TRANSACTION_MS);
  #writtenSince: bigint;
  /** Known events, with the transactions that wrote them. */
  readonly #known = new Map<string, bigint>();
  readonly #marks: Array<{ sinceId: string; next: bigint }> = [];

  constructor(unfinished: Unfinished) {
    this.#writtenSince = unfinished.oldest;
  }

  /** By which all events can be asked for that became visible since the last time. */
  get asked(): { sinceId: string; writtenSince: string; knownIds: string[] } {
    return { sinceId: this.sinceId, writtenSince: String(this.#writtenSince), knownIds: [...this.#known.keys()] };
  }

  note({ id, written_by: writtenBy }: UnfinishedEventRow): void {
    this.#known.set(id, BigInt(writtenBy));
  }

  /** Everything that is visible now was read, and this was the state of transactions before. */
  advance(unfinished: Unfinished): void {
    this.#writtenSince = unfinished.oldest;
    for (const [id, writtenBy] of this.#known) {
      if (writtenBy < unfinished.oldest) {
        this.#known.delete(id);
      }
    }
    // A transaction that begins later makes later ids, except for what lies between making an id and writing it.
    this.#marks.push({ sinceId: firstIdAgo('event', WRITING_MS), next: unfinished.next });
    while (this.#marks[0] !== undefined && this.#marks[0].next <= unfinished.oldest) {
      this.sinceId = this.#marks.shift()?.sinceId ?? this.sinceId;
    }
    const longest = firstIdAgo('event', LONGEST_TRANSACTION_MS);
    this.sinceId = this.sinceId > longest ? this.sinceId : longest;
  }
}

/** No transaction lasts longer: each statement has 30 seconds at most. */
export const LONGEST_TRANSACTION_MS = 600_000;
/** For waits between the making of an id and its insert, and for clocks that differ. */
const WRITING_MS = 15_000;
