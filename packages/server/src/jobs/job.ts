import type { DueCheck } from '../database/index.ts';

/**
 * Recurring background work. Any number of processes run the same jobs: a job finds due work in rows and claims it
 * there, so nothing is done twice.
 */
export interface Job {
  /** `room.verb-noun`. */
  name: string;
  /** The pause between two runs that found nothing, in milliseconds; with `due`, the longest. */
  everyMs: number;
  /** Processes one bounded portion; returns true if there is more to do immediately. Long waits end on `stopping`. */
  run(stopping?: AbortSignal): Promise<boolean>;
  /** The longest pause after failures, in milliseconds; 5,000 by default. */
  maxPauseMs?: number;
  /** Ends the pause early when work is known to be waiting. */
  nudge?: Nudge;
  /** Tells whether a run would find work; checked for all jobs together (`sleepUntilDue`). */
  due?: DueTest;
  /** Ends work still in progress after the last run. */
  finish?(): Promise<void>;
  /** It writes data from this process's own memory, so no other process can run it. */
  runsInEveryRole?: true;
}

/** Wakes one job; a ring while it works makes it run once more. */
export class Nudge {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /**
   * Calls `wake` at the next ring, or immediately if there was one since the last call. Returns a function that stops
   * listening.
   */
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
  /** Receives each value of the check, for a job that wakes other jobs. */
  receive?(value: unknown): void;
}
