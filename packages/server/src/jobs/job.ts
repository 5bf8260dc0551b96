import type { DueCheck } from '../database/index.ts';

/**
 * Work that is done again and again in the background. Any number of processes run the same jobs: a job finds what is
 * due in rows and claims it there, so nothing is done twice.
 */
export interface Job {
  /** `room.verb-noun`. */
  name: string;
  /** The pause between two runs that found nothing, in milliseconds; with `due`, the longest. */
  everyMs: number;
  /** Does one bounded portion; returns true when there is more to do at once. What waits long for others ends on `stopping`. */
  run(stopping?: AbortSignal): Promise<boolean>;
  /** The longest pause after failures, in milliseconds; 5,000 unless said otherwise. */
  maxPauseMs?: number;
  /** Ends the pause early when there is known to be work. */
  nudge?: Nudge;
  /** Tells whether a run would find work; asked for all jobs at once (`sleepUntilDue`). */
  due?: DueTest;
  /** Ends what the runs left under way, when the last of them is over. */
  finish?(): Promise<void>;
  /** What it writes is in this process's own memory, so that no other process can do it. */
  runsInEveryRole?: true;
}

/** Wakes one job; a ring while it works makes it look once more. */
export class Nudge {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Calls `wake` at the next ring, or at once when there was one since the last call. Returns how to stop listening. */
  onRing(wake: () => void): () => void {
    this.#wake = () => {
      this.#isRung = false;
      this.#wake = undefined;
      wake();
    };
    if (this.#isRung) {
      this.#wake();
    }
    return () => {
      this.#wake = undefined;
    };
  }
}

/** A job's own check, and how to read its value: by default the job is due when it is true. */
export interface DueTest {
  readonly check: DueCheck;
  isDue?(value: unknown): boolean;
}
