/** The options of a reader of the stream. */
export interface ReaderOptions {
  organizationId: string;
  /** Undefined for all types. */
  type: string | undefined;
  /** Throws if the reader's request would no longer be admitted. */
  confirm(): Promise<void>;
}

/** One event, as the stream writes it. */
export interface StreamedEvent {
  id: string;
  type: string;
  text: string;
}

/** One client of the stream, with its unread events. */
export class EventReader {
  readonly options: ReaderOptions;
  readonly #waiting: string[] = [];
  /** Events that it got from the history, which may also arrive as new ones. */
  readonly #caughtUp = new Set<string>();
  #waitingBytes = 0;
  #isCatchingUp: boolean;
  #hasEnded = false;
  #writtenAtMs: number;
  #wake: (() => void) | undefined;

  constructor(options: ReaderOptions, isCatchingUp: boolean, nowMs: number) {
    this.options = options;
    this.#isCatchingUp = isCatchingUp;
    this.#writtenAtMs = nowMs;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Gives it a new event, unless it wants another type. */
  offer({ id, type, text }: StreamedEvent, nowMs: number): void {
    if (this.#wants(type) && !this.#caughtUp.delete(id)) {
      this.write(text, nowMs);
    }
  }

  /** Ends it if it has too much unread: its client reconnects, and resumes where it was. */
  write(text: string, nowMs: number): void {
    this.#writtenAtMs = nowMs;
    this.#waiting.push(text);
    this.#waitingBytes += text.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES && this.#waiting.length > 1) {
      this.#waiting.length = 0;
      this.end();
    }
    this.#ring();
  }

  /**
   * Records an event of the history, which may still arrive as a new one if it is among the last; returns whether the
   * reader wants it.
   */
  noteCaughtUp({ id, type }: Pick<StreamedEvent, 'id' | 'type'>): boolean {
    if (!this.#wants(type)) {
      return false;
    }
    this.#caughtUp.add(id);
    const [oldest] = this.#caughtUp.size > MAX_CAUGHT_UP ? this.#caughtUp : [];
    if (oldest !== undefined) {
      this.#caughtUp.delete(oldest);
    }
    return true;
  }

  /** The reader has read its history. */
  finishCatchingUp(): void {
    this.#isCatchingUp = false;
  }

  /** A reader that is catching up gets heartbeats only afterwards. */
  needsHeartbeat(nowMs: number): boolean {
    return !this.#isCatchingUp && this.#waiting.length === 0 && nowMs - this.#writtenAtMs >= HEARTBEAT_MS;
  }

  end(): void {
    this.#hasEnded = true;
    this.#ring();
  }

  /** Resolves to the waiting events when there are any; undefined if it has ended. */
  async read(): Promise<string | undefined> {
    while (this.#waiting.length === 0 && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const text = this.#waiting.splice(0).join('');
    this.#waitingBytes = 0;
    return text === '' ? undefined : text;
  }

  #wants(type: string): boolean {
    return this.options.type === undefined || this.options.type === type;
  }

  #ring(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

/** For thousands of readers this is the memory that matters; an event has about 500 bytes. */
const MAX_WAITING_BYTES = 65_536;
const MAX_CAUGHT_UP = 2_000;
/** Proxies close connections that are silent for a minute, some after 30 s. */
const HEARTBEAT_MS = 15_000;
