/** Remembers when each job of this process last succeeded. */
export class JobWatch {
  readonly #jobs = new Map<string, { everyMs: number; doneAtMs: number }>();
  readonly #countFailure: (job: string) => void;

  constructor(countFailure: (job: string) => void = () => undefined) {
    this.#countFailure = countFailure;
  }

  /** Records a run that did not fail, or the start of the job, which counts as one. */
  done(job: { name: string; everyMs: number }): void {
    this.#jobs.set(job.name, { everyMs: job.everyMs, doneAtMs: performance.now() });
  }

  failed(job: { name: string }): void {
    this.#countFailure(job.name);
  }

  stopped(job: { name: string }): void {
    this.#jobs.delete(job.name);
  }

  /** The jobs whose last successful run ended longer ago than their pause and `LATE_MS`: they fail or hang. */
  listLate(nowMs = performance.now()): string[] {
    return [...this.#jobs].flatMap(([name, { everyMs, doneAtMs }]) =>
      nowMs - doneAtMs > everyMs + LATE_MS ? [name] : [],
    );
  }
}

/** Longer than the longest pause after failures, and than any portion of work. */
const LATE_MS = 30_000;
