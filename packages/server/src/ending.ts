import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config/index.ts';
import type { RunningEnvironment } from './environment.ts';
import type { Listener } from './http/index.ts';
import type { Logger } from './log/index.ts';

/** Ends a process in order and within a known time. */
export class Ending {
  /** The listeners; each is warned before it is closed. */
  readonly listeners: Listener[] = [];
  readonly environments: RunningEnvironment[] = [];
  /** Work to start when the drain starts, so that the shutdown takes less time. */
  beforehand: (() => Promise<void>) | undefined;
  /** Other cleanup steps, run in reverse. */
  readonly undo: Array<() => Promise<void>> = [];
  /** Aborts immediately: the service is no longer ready for new clients. */
  readonly draining = new AbortController();
  /** Aborts when it stops accepting. */
  readonly stopping = new AbortController();
  readonly #hurried = new AbortController();
  readonly #drainMs: number;
  #jobs: Array<Promise<void> | undefined> | undefined;
  readonly #log: Logger;

  constructor({ drainSeconds }: Config, log: Logger) {
    const isInTerminal = process.stdin.isTTY === true || process.stdout.isTTY === true;
    this.#drainMs = (drainSeconds ?? (isInTerminal ? 0 : DRAIN_SECONDS)) * 1_000;
    this.#log = log;
  }

  async stop(): Promise<void> {
    this.drain();
    if (this.listeners.length > 0) {
      await sleep(this.#drainMs, undefined, { signal: this.#hurried.signal }).catch(() => undefined);
    }
    await this.finish(Math.min(Math.max(LEAST_GRACE_MS, LONGEST_STOP_MS - this.#drainMs), MOST_GRACE_MS));
  }

  /** Keeps serving, and sends clients elsewhere. */
  drain(): void {
    this.draining.abort();
    for (const listener of this.listeners) {
      listener.announceEnd();
    }
    void this.beforehand?.();
    // Jobs need no drain: they stop immediately, and have the whole time to release what they hold.
    this.#jobs ??= this.environments.map(({ work }) => work?.stopJobs());
  }

  /** Stops accepting, gives running requests `graceMs`, and releases everything. */
  async finish(graceMs: number): Promise<void> {
    const { listeners, environments, undo } = this;
    this.stopping.abort();
    await Promise.all([...listeners.map((each) => this.#close(each, graceMs)), ...(this.#jobs ?? [])]);
    await Promise.all(environments.map(({ work }) => work?.stop()));
    await unwind(undo, this.#log);
  }

  hurry(): void {
    this.#hurried.abort();
  }

  async #close(listener: Listener, graceMs: number): Promise<void> {
    const hurry = () => void listener.close(HURRIED_GRACE_MS);
    this.#hurried.signal.addEventListener('abort', hurry, { once: true });
    await listener.close(this.#hurried.signal.aborted ? HURRIED_GRACE_MS : graceMs);
  }
}

const DRAIN_SECONDS = 5;

/**
 * The maximum of drain and grace period together, if the drain leaves time for one: two of the ten seconds are for the
 * database.
 */
const LONGEST_STOP_MS = 8_000;
const MOST_GRACE_MS = 7_000;
const LEAST_GRACE_MS = 3_000;
const HURRIED_GRACE_MS = 1_000;

/** Runs in reverse, the database last. A failure is logged, and the rest still runs. Safe to call twice. */
async function unwind(undo: Array<() => Promise<void>>, log: Logger): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    await step().catch((error: unknown) => log.warn({ err: error }, 'something did not stop cleanly'));
  }
}
