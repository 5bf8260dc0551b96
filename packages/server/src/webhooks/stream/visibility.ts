import type { UnfinishedEventRow } from '../../events/index.ts';
import { firstIdAgo } from '../../ids/index.ts';

/** The transaction state of PostgreSQL. */
export interface Unfinished {
  oldest: bigint;
  next: bigint;
}

/**
 * Which events may still become visible. Transactions do not commit in the order of their events' IDs, so the highest
 * ID read is not sufficient. Everything written by transactions before the oldest unfinished one is visible; events
 * read from later ones are remembered until then.
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

  /** The parameters for reading all events that have become visible since the last time. */
  get asked(): { sinceId: string; writtenSince: string; knownIds: string[] } {
    return { sinceId: this.sinceId, writtenSince: String(this.#writtenSince), knownIds: [...this.#known.keys()] };
  }

  note({ id, written_by: writtenBy }: UnfinishedEventRow): void {
    this.#known.set(id, BigInt(writtenBy));
  }

  /** Everything visible now was read, and this was the state of transactions before that. */
  advance(unfinished: Unfinished): void {
    this.#writtenSince = unfinished.oldest;
    for (const [id, writtenBy] of this.#known) {
      if (writtenBy < unfinished.oldest) {
        this.#known.delete(id);
      }
    }
    // A later transaction creates later IDs, except for the time between creating an ID and writing it.
    this.#marks.push({ sinceId: firstIdAgo('event', WRITING_MS), next: unfinished.next });
    while (this.#marks[0] !== undefined && this.#marks[0].next <= unfinished.oldest) {
      this.sinceId = this.#marks.shift()?.sinceId ?? this.sinceId;
    }
    const longest = firstIdAgo('event', LONGEST_TRANSACTION_MS);
    this.sinceId = this.sinceId > longest ? this.sinceId : longest;
  }
}

/** No transaction lasts longer: each statement has at most 30 seconds. */
export const LONGEST_TRANSACTION_MS = 600_000;
/** For waits between the creation of an ID and its insert, and for clock differences. */
const WRITING_MS = 15_000;
