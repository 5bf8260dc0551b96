import type { Subject, WindowLimit } from './windows.ts';

/** A remembered subject. Flat numbers take a third of the memory of an object per window. */
export interface SubjectRecord {
  readonly key: string;
  /** Usually the list of the policy itself, shared by all its subjects. */
  windows: readonly WindowLimit[];
  /** Used and reset (epoch milliseconds) of each window in turn. */
  readonly counters: number[];
  /** The reset of the longest window. */
  endsAtMs: number;
  queue: ExpiryQueue | undefined;
  previous: SubjectRecord | undefined;
  next: SubjectRecord | undefined;
}

/**
 * The records of subjects whose longest window has the same length, so that they end in the order in which they opened.
 */
interface ExpiryQueue {
  readonly seconds: number;
  head: SubjectRecord | undefined;
  tail: SubjectRecord | undefined;
}

const SWEPT_PER_ADDITION = 2;

/**
 * Remembers subjects within a bound. There is no timer: each addition removes up to two subjects of each length whose
 * windows have all ended, which outpaces growth; at the bound, the subject that would reset soonest is evicted. Linked
 * queues keep all of it constant-time; walking a Map from its front slows down with every deletion before it.
 */
export class SubjectStore {
  readonly #maxSubjects: number;
  readonly #records = new Map<string, SubjectRecord>();
  /** As many as there are lengths of longest windows: two or three. */
  #queues: ExpiryQueue[] = [];

  constructor(maxSubjects: number) {
    this.#maxSubjects = Math.max(1, maxSubjects);
  }

  get size(): number {
    return this.#records.size;
  }

  find(key: string): SubjectRecord | undefined {
    return this.#records.get(key);
  }

  /** Adds a subject with nothing counted; the caller immediately opens at least one window. */
  add(subject: Subject, nowMs: number): SubjectRecord {
    this.#sweep(nowMs);
    if (this.#records.size >= this.#maxSubjects) {
      this.#evictSoonest();
    }
    const record: SubjectRecord = {
      key: subject.key,
      windows: subject.windows,
      // Created in its final size: an array grown by pushing reserves three times as much.
      counters: new Array<number>(subject.windows.length * 2).fill(0),
      endsAtMs: 0,
      queue: undefined,
      previous: undefined,
      next: undefined,
    };
    this.#records.set(subject.key, record);
    return record;
  }

  /** Records that a window was just opened; opening its longest window moves the record in the queue. */
  opened(record: SubjectRecord, seconds: number, resetAtMs: number): void {
    if (record.queue === undefined || seconds >= record.queue.seconds) {
      unlink(record);
      record.endsAtMs = resetAtMs;
      append(this.#queueFor(seconds), record);
    }
  }

  clear(): void {
    this.#records.clear();
    this.#queues = [];
  }

  #sweep(nowMs: number): void {
    for (const queue of this.#queues) {
      for (let swept = 0; swept < SWEPT_PER_ADDITION; swept += 1) {
        if (queue.head === undefined || !isOver(queue.head, nowMs)) {
          break;
        }
        this.#remove(queue.head);
      }
    }
  }

  #evictSoonest(): void {
    let soonest: SubjectRecord | undefined;
    for (const { head } of this.#queues) {
      if (head !== undefined && (soonest === undefined || head.endsAtMs < soonest.endsAtMs)) {
        soonest = head;
      }
    }
    if (soonest !== undefined) {
      this.#remove(soonest);
    }
  }

  #remove(record: SubjectRecord): void {
    unlink(record);
    this.#records.delete(record.key);
  }

  #queueFor(seconds: number): ExpiryQueue {
    let queue = this.#queues.find((candidate) => candidate.seconds === seconds);
    if (queue === undefined) {
      queue = { seconds, head: undefined, tail: undefined };
      this.#queues.push(queue);
    }
    return queue;
  }
}

/** Whether all windows have ended. One opened late in a longer one outlives it, at most by its own length. */
function isOver(record: SubjectRecord, nowMs: number): boolean {
  for (let slot = 1; slot < record.counters.length; slot += 2) {
    if ((record.counters[slot] ?? 0) > nowMs) {
      return false;
    }
  }
  return true;
}

function append(queue: ExpiryQueue, record: SubjectRecord): void {
  record.queue = queue;
  record.previous = queue.tail;
  if (queue.tail === undefined) {
    queue.head = record;
  } else {
    queue.tail.next = record;
  }
  queue.tail = record;
}

function unlink(record: SubjectRecord): void {
  const { queue, previous, next } = record;
  if (queue === undefined) {
    return;
  }
  if (previous === undefined) {
    queue.head = next;
  } else {
    previous.next = next;
  }
  if (next === undefined) {
    queue.tail = previous;
  } else {
    next.previous = previous;
  }
  record.queue = undefined;
  record.previous = undefined;
  record.next = undefined;
}
