import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { findUnfinishedTransactions, listUnfinishedEvents, type UnfinishedEventRow } from '../../events/index.ts';
import { ApiError } from '../../http/index.ts';
import type { Logger } from '../../log/index.ts';
import type { EventReader } from './event-reader.ts';
import { formatEvent } from './format-event.ts';
import { type Unfinished, Visibility } from './visibility.ts';

/** The dependencies of the hub. */
export interface HubTools {
  database: Queries;
  clock: Clock;
  log: Logger;
  /** Aborts when the process is about to stop, which ends all streams. */
  stopping: AbortSignal;
}

/**
 * Reads new events for all streams of a process with one query, every 400 ms while there is a stream, and never
 * otherwise.
 */
export class EventHub {
  readonly #tools: HubTools;
  readonly #readers = new Map<string, Set<EventReader>>();
  readonly #joining = new Map<EventReader, () => void>();
  #visibility: Visibility | undefined;
  #isRunning = false;
  #confirmedAtMs = 0;
  #wake: (() => void) | undefined;

  constructor(tools: HubTools) {
    this.#tools = tools;
    tools.stopping.addEventListener('abort', () => this.#endAll(), { once: true });
  }

  /** Resolves when the reader gets all events that become visible from then on. */
  join(reader: EventReader): Promise<void> {
    const joined = new Promise<void>((resolve) => this.#joining.set(reader, resolve));
    this.#wake?.();
    if (!this.#isRunning) {
      this.#isRunning = true;
      void this.#run();
    }
    return joined;
  }

  leave(reader: EventReader): void {
    const { organizationId } = reader.options;
    this.#joining.delete(reader);
    const others = this.#readers.get(organizationId);
    others?.delete(reader);
    if (others?.size === 0) {
      this.#readers.delete(organizationId);
    }
    this.#wake?.();
  }

  async #run(): Promise<void> {
    this.#visibility = undefined;
    while (this.#readers.size + this.#joining.size > 0 && !this.#tools.stopping.aborted) {
      try {
        await this.#look();
        this.#sendHeartbeats();
        this.#confirmNowAndThen();
      } catch (error) {
        // Streams survive a short database outage without missing events.
        this.#tools.log.warn({ err: error }, 'new events for the streams could not be read');
        await this.#pause();
      }
      await (this.#joining.size > 0 ? undefined : this.#pause());
    }
    this.#isRunning = false;
    this.#endAll();
  }

  async #look(): Promise<void> {
    const unfinished = await this.#readUnfinished();
    const joining = [...this.#joining.keys()];
    const visibility = this.#visibility ?? new Visibility(unfinished);
    this.#visibility = visibility;
    const watched = new Set([...this.#readers.keys(), ...joining.map(({ options }) => options.organizationId)]);
    const organizationIds = [...watched];
    for (let isFull = organizationIds.length > 0; isFull; ) {
      const asked = { organizationIds, ...visibility.asked, limit: PORTION };
      const events = await listUnfinishedEvents(this.#tools.database, asked);
      for (const [index, event] of events.entries()) {
        visibility.note(event);
        this.#offer(event);
        if (index % OFFERED_AT_ONCE === OFFERED_AT_ONCE - 1) {
          await setImmediate();
        }
      }
      isFull = events.length === PORTION;
    }
    visibility.advance(unfinished);
    // Events that they were not offered were visible before they joined.
    for (const reader of joining) {
      this.#admit(reader);
    }
  }

  async #readUnfinished(): Promise<Unfinished> {
    const { oldest, next } = await findUnfinishedTransactions(this.#tools.database);
    return { oldest: BigInt(oldest), next: BigInt(next) };
  }

  #offer(event: UnfinishedEventRow): void {
    const readers = this.#readers.get(event.organization_id);
    if (readers === undefined) {
      return;
    }
    const { id, type } = event;
    const streamed = { id, type, text: formatEvent(event.organization_id, event) };
    for (const reader of readers) {
      reader.offer(streamed, this.#tools.clock.nowMs());
    }
  }

  #admit(reader: EventReader): void {
    const joined = this.#joining.get(reader);
    this.#joining.delete(reader);
    if (joined !== undefined) {
      const { organizationId } = reader.options;
      const readers = this.#readers.get(organizationId) ?? new Set();
      this.#readers.set(organizationId, readers.add(reader));
      joined();
    }
  }

  #sendHeartbeats(): void {
    const nowMs = this.#tools.clock.nowMs();
    for (const reader of this.#all()) {
      if (reader.needsHeartbeat(nowMs)) {
        reader.write(':\n\n', nowMs);
      }
    }
  }

  /** Ends the streams whose token, login, membership or role has ended. The look-ups share few statements. */
  #confirmNowAndThen(): void {
    const nowMs = this.#tools.clock.nowMs();
    if (nowMs - this.#confirmedAtMs < CONFIRM_MS) {
      return;
    }
    this.#confirmedAtMs = nowMs;
    for (const reader of this.#all()) {
      reader.options.confirm().catch((error: unknown) => {
        if (error instanceof ApiError && error.status < 500) {
          reader.end();
        }
      });
    }
  }

  #all(): EventReader[] {
    return [...this.#readers.values()].flatMap((readers) => [...readers]);
  }

  #endAll(): void {
    for (const reader of [...this.#all(), ...this.#joining.keys()]) {
      reader.end();
    }
    for (const joined of this.#joining.values()) {
      joined();
    }
    this.#joining.clear();
    this.#wake?.();
  }

  /** Ends early when someone joins, the last one leaves, or the process stops. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), LOOK_MS);
      this.#wake = () => {
        this.#wake = undefined;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const LOOK_MS = 400;
const CONFIRM_MS = 3_000;
/** The number of events read at a time. */
const PORTION = 500;
/** Readers get time to send these first; otherwise, a burst would end all of them as too slow. */
const OFFERED_AT_ONCE = 50;
