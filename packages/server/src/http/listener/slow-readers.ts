import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { ListenerLimits } from './limits.ts';

/** A destination of responses: an HTTP/1.1 connection or an HTTP/2 stream. */
export interface Reader {
  /** Bytes written to it that its client has not read yet. */
  waitingBytes(): number;
  /** All bytes that its client has read so far. */
  takenBytes(): number;
  /** Whether the current response may be read at any speed. */
  isExempt(): boolean;
  cut(): void;
}

/** How much a client has read since the window began, and for how long it could. */
interface Window {
  takenAtStart: number;
  waitedMs: number;
}

/**
 * Disconnects clients that read their responses too slowly. Without this, a client that reads an occasional byte could
 * keep its connection indefinitely, because every byte restarts the timeout of a stalled connection. A reader without
 * waiting data, such as a connection between two requests or a long poll, is never judged.
 */
export class SlowReaders {
  readonly #limits: ListenerLimits;
  readonly #windows = new Map<Reader, Window | undefined>();
  readonly #sweepMs: number;
  readonly #timer: NodeJS.Timeout;
  #sweptAtMs = performance.now();

  constructor(limits: ListenerLimits) {
    this.#limits = limits;
    this.#sweepMs = Math.max(10, limits.readWindowMs / 6);
    this.#timer = setInterval(() => this.#sweep(), this.#sweepMs);
    this.#timer.unref();
  }

  watch(reader: Reader): void {
    this.#windows.set(reader, undefined);
  }

  unwatch(reader: Reader): void {
    this.#windows.delete(reader);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sweep(): void {
    const nowMs = performance.now();
    // A blocked process cannot see what clients read, so a late sweep counts only for its usual interval.
    const sinceMs = Math.min(nowMs - this.#sweptAtMs, this.#sweepMs);
    this.#sweptAtMs = nowMs;
    for (const [reader, window] of this.#windows) {
      if (reader.waitingBytes() === 0 || reader.isExempt()) {
        if (window !== undefined) this.#windows.set(reader, undefined);
      } else if (window === undefined) {
        this.#windows.set(reader, { takenAtStart: reader.takenBytes(), waitedMs: 0 });
      } else {
        this.#judge(reader, window, sinceMs);
      }
    }
  }

  #judge(reader: Reader, window: Window, sinceMs: number): void {
    const { minReadBytesPerSecond, readWindowMs } = this.#limits;
    window.waitedMs += sinceMs;
    if (window.waitedMs < readWindowMs) return;
    const taken = reader.takenBytes();
    if (taken - window.takenAtStart < (minReadBytesPerSecond * window.waitedMs) / 1000) {
      this.#windows.delete(reader);
      reader.cut();
    } else {
      window.takenAtStart = taken;
      window.waitedMs = 0;
    }
  }
}

const exempt = new WeakSet<object>();

/** Lets the client of this response read at any speed: for streams that bound their own buffers. */
export function allowSlowReading(response: ServerResponse | Http2ServerResponse): void {
  exempt.add(response);
}

export function mayReadSlowly(response: ServerResponse | Http2ServerResponse | undefined): boolean {
  return response !== undefined && exempt.has(response);
}
