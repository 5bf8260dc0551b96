import type { RateLimiter, TakeRequest } from './limiter.ts';
import { type SubjectRecord, SubjectStore } from './subject-store.ts';
import { type Decision, decide, type Subject, type WindowLimit, type WindowState, type WindowUse } from './windows.ts';

export interface MemoryLimiterOptions {
  /** The maximum number of remembered subjects (one with three windows takes about 600 bytes, including its key). */
  readonly maxSubjects?: number;
}

/** Counts in this process. It answers synchronously, because it runs before every request. */
export class MemoryLimiter implements RateLimiter {
  readonly #store: SubjectStore;

  constructor(options: MemoryLimiterOptions = {}) {
    this.#store = new SubjectStore(options.maxSubjects ?? 1_000_000);
  }

  /** How many subjects are remembered. */
  get size(): number {
    return this.#store.size;
  }

  take(request: TakeRequest): Decision {
    const uses: WindowUse[] = [];
    for (const subject of request.subjects) {
      readUses(this.#store.find(subject.key), subject.windows, uses);
    }
    const decision = decide(request.subjects, uses, request.nowMs, request.enforce);
    if (decision.allowed) {
      this.#write(decision);
    }
    return decision;
  }

  close(): Promise<void> {
    this.#store.clear();
    return Promise.resolve();
  }

  /** A refused request writes nothing, so it does not even add a subject. */
  #write(decision: Decision): void {
    let first = 0;
    for (const subject of decision.subjects) {
      this.#writeSubject(subject, decision, first);
      first += subject.windows.length;
    }
  }

  #writeSubject(subject: Subject, decision: Decision, first: number): void {
    // The record is looked up again, because adding another subject of this request may just have evicted it.
    const known = this.#store.find(subject.key);
    const record = known ?? this.#store.add(subject, decision.decidedAtMs);
    for (let position = 0; position < subject.windows.length; position += 1) {
      const state = decision.windows[first + position];
      if (state !== undefined) {
        const slot = slotOf(record, state, position) ?? addSlot(record, state);
        record.counters[slot] = state.used;
        record.counters[slot + 1] = state.resetAtMs;
        if (known === undefined || state.used === 1) {
          this.#store.opened(record, state.seconds, state.resetAtMs);
        }
      }
    }
  }
}

function readUses(record: SubjectRecord | undefined, windows: readonly WindowLimit[], uses: WindowUse[]): void {
  for (let position = 0; position < windows.length; position += 1) {
    const window = windows[position];
    if (window !== undefined) {
      const slot = record === undefined ? undefined : slotOf(record, window, position);
      const known = record !== undefined && slot !== undefined;
      uses.push({
        window,
        used: known ? (record.counters[slot] ?? 0) : 0,
        resetAtMs: known ? (record.counters[slot + 1] ?? 0) : 0,
      });
    }
  }
}

/** The index of the window's count; its reset follows. Nearly always, it is the same index as the last time. */
function slotOf(record: SubjectRecord, window: WindowLimit | WindowState, position: number): number | undefined {
  const likely = record.windows[position];
  if (likely !== undefined && isSame(likely, window)) {
    return position * 2;
  }
  const found = record.windows.findIndex((other) => isSame(other, window));
  return found === -1 ? undefined : found * 2;
}

/** The limit is ignored on purpose: after a change of tier, used requests stay used. */
function isSame(one: WindowLimit | WindowState, other: WindowLimit | WindowState): boolean {
  return one.name === other.name && one.seconds === other.seconds;
}

function addSlot(record: SubjectRecord, state: WindowState): number {
  record.windows = [...record.windows, state];
  record.counters.push(0, 0);
  return record.counters.length - 2;
}
