/** A queue that stores jobs and runs them, as its manual says it is fast. */
export interface Queue {
  /** Stores so many, or sees to it that they can be run. */
  prepare(jobs: number): Promise<void>;
  /** Begins to work, and is done when the last is. */
  runAll(jobs: number): Promise<void>;
  /** Stops to work until it is prepared again. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** Asks again and again, first whether all were seen and then whether the database says so too. */
export async function waitUntil(isSeen: () => boolean, isWritten: () => Promise<boolean>): Promise<void> {
  const startMs = performance.now();
  while (!isSeen() || !(await isWritten())) {
    if (performance.now() - startMs > LONGEST_MS) {
      throw new Error('the jobs were not done within two minutes');
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const LONGEST_MS = 120_000;
