import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import { listWatchedLines, type WatchedLineRow } from '../seats/due-line-queries.ts';
import { listTouchedWaits } from '../seats/line-queries.ts';
import { settleLine } from '../seats/settle-lines.ts';

/** A request that waits for its turn. */
export interface WaitingCall {
  organizationId: string;
  licenseId: string;
  waitId: string;
  /** The license's number of changes at the last request. */
  changes: number;
  /** Aborts when the client disconnects, which ends the wait. */
  gone: AbortSignal;
  milliseconds: number;
}

/** The calls of one line. */
interface WatchedLine {
  organizationId: string;
  licenseId: string;
  /** Changes up to this number are known. */
  changes: number;
  calls: Map<string, Set<() => void>>;
}

/**
 * Wakes the requests of this process when it is their turn or their wait ends. While there are any, it reads their
 * lines in one statement ten times a second, and immediately when this process releases a seat. Otherwise it does
 * nothing.
 */
export class WaitingCalls {
  static #open = 0;
  readonly #database: Queries;
  readonly #stopping: AbortSignal;
  readonly #lines = new Map<string, WatchedLine>();
  #isRunning = false;
  #isRung = false;
  #wake: (() => void) | undefined;

  constructor(database: Queries, stopping: AbortSignal) {
    this.#database = database;
    this.#stopping = stopping;
    // One listener for all calls: a combined signal for each call takes a kilobyte.
    stopping.addEventListener('abort', () => this.#endAll(), { once: true });
  }

  /**
   * Resolves when it is the call's turn, its wait has ended, its client has disconnected, its time is up, or the process
   * is stopping. Throws service_unavailable beyond the limit.
   */
  async waitForTurn(call: WaitingCall): Promise<void> {
    if (WaitingCalls.#open >= MOST_OPEN) {
      throw httpError('service_unavailable', 'Too many requests are waiting for a seat. Try again in a moment.', {
        headers: { 'retry-after': String(RETRY_SECONDS) },
      });
    }
    WaitingCalls.#open += 1;
    try {
      await this.#wait(call);
    } finally {
      WaitingCalls.#open -= 1;
    }
  }

  /** A seat of a license that machines wait for may be free. */
  ring(organizationId: string, licenseId: string): void {
    if (this.#lines.has(keyOf(organizationId, licenseId))) {
      this.#isRung = true;
      this.#wake?.();
    }
  }

  #wait(call: WaitingCall): Promise<void> {
    const line = this.#lineOf(call);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        call.gone.removeEventListener('abort', done);
        this.#leave(line, call.waitId, done);
        resolve();
      };
      const timer = setTimeout(done, call.milliseconds);
      call.gone.addEventListener('abort', done, { once: true });
      line.calls.set(call.waitId, (line.calls.get(call.waitId) ?? new Set()).add(done));
      if (call.gone.aborted || this.#stopping.aborted) {
        done();
      }
      this.#start();
    });
  }

  #endAll(): void {
    const waits = [...this.#lines.values()].flatMap((line) => [...line.calls.values()]);
    for (const done of waits.flatMap((calls) => [...calls])) {
      done();
    }
  }

  #lineOf({ organizationId, licenseId, changes }: WaitingCall): WatchedLine {
    const key = keyOf(organizationId, licenseId);
    const line = this.#lines.get(key) ?? { organizationId, licenseId, changes, calls: new Map() };
    // Changes since the request asked may have been read before it was in this list.
    line.changes = Math.min(line.changes, changes);
    this.#lines.set(key, line);
    return line;
  }

  #leave(line: WatchedLine, waitId: string, done: () => void): void {
    const calls = line.calls.get(waitId);
    calls?.delete(done);
    if (calls?.size === 0) {
      line.calls.delete(waitId);
    }
    if (line.calls.size === 0) {
      this.#lines.delete(keyOf(line.organizationId, line.licenseId));
    }
    if (this.#lines.size === 0) {
      this.#wake?.();
    }
  }

  #start(): void {
    if (!this.#isRunning) {
      this.#isRunning = true;
      void this.#run();
    }
  }

  async #run(): Promise<void> {
    while (this.#lines.size > 0) {
      const startedMs = performance.now();
      this.#isRung = false;
      // If the database is unreachable, the requests keep waiting until it is back or their time is up.
      const looked = await this.#look().catch(() => false);
      const tookMs = performance.now() - startedMs;
      await this.#pause(looked ? Math.max(LOOK_MS, 3 * tookMs) : RETRY_MS);
    }
    this.#isRunning = false;
  }

  async #look(): Promise<boolean> {
    const watched = [...this.#lines.values()].map(({ organizationId, licenseId }) => ({
      organization_id: organizationId,
      license_id: licenseId,
    }));
    for (const row of await listWatchedLines(this.#database, { watched })) {
      if (row.is_due) {
        await settleLine(this.#database, row);
      }
      await this.#tell(row);
    }
    return true;
  }

  async #tell(row: WatchedLineRow): Promise<void> {
    const { organization_id: organizationId, license_id: licenseId, changes, is_due: isDue } = row;
    const line = this.#lines.get(keyOf(organizationId, licenseId));
    if (line === undefined || (!isDue && line.changes >= changes)) {
      return;
    }
    const since = line.changes;
    line.changes = changes;
    for (const { id } of await listTouchedWaits(this.#database, { organizationId, licenseId, changes: since })) {
      for (const done of line.calls.get(id) ?? []) {
        done();
      }
    }
  }

  /** Ends early when this process releases a seat, or when no request is waiting any more. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, this.#isRung ? 0 : milliseconds);
      this.#wake = done;
    });
  }
}

function keyOf(organizationId: string, licenseId: string): string {
  return `${organizationId} ${licenseId}`;
}

/** How many requests of one process may wait at the same time, in both environments together. */
const MOST_OPEN = 10_000;
const RETRY_SECONDS = 5;
const LOOK_MS = 100;
const RETRY_MS = 500;
