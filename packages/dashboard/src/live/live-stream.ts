import type { StreamListener } from './event-source.ts';
import type { LiveEvent } from './live-event.ts';

/** Follows a stream until it is refused, breaks off or is ended. */
type Follow = (tell: StreamListener, signal: AbortSignal) => Promise<void>;

/** Messages to the tabs of a browser from the one that follows the stream. */
export interface LiveListener {
  /** Whether events arrive; `isFresh` if earlier events may have been missed. */
  changed: (isLive: boolean, isFresh: boolean) => void;
  happened: (event: LiveEvent) => void;
}

type Message =
  | { kind: 'hello' }
  | { kind: 'state'; isLive: boolean; isFresh: boolean }
  | { kind: 'event'; event: LiveEvent };

/** A refused stream is requested again after this time, then with growing delays: a person may have at most 20. */
const FIRST_DELAY_MS = 2_000;
const LAST_DELAY_MS = 60_000;

/**
 * Follows one stream for all tabs of this browser that share `name`: the tab that holds the lock follows it, and
 * notifies the others. When it is closed, another tab gets the lock. Returns a function that ends it.
 */
export function shareStream(name: string, follow: Follow, listener: LiveListener): () => void {
  const ending = new AbortController();
  const channel = new BroadcastChannel(name);
  const leader = new Leader(channel, follow, listener);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hello') {
      leader.introduce();
    } else if (!leader.isLeading) {
      receive(data, listener);
    }
  });
  channel.postMessage({ kind: 'hello' } satisfies Message);
  navigator.locks.request(name, { signal: ending.signal }, () => leader.lead(ending.signal)).catch(() => undefined);
  return () => {
    ending.abort();
    channel.close();
  };
}

function receive(message: Exclude<Message, { kind: 'hello' }>, listener: LiveListener): void {
  if (message.kind === 'event') {
    listener.happened(message.event);
  } else {
    listener.changed(message.isLive, message.isFresh);
  }
}

/** The tab that follows the stream. */
class Leader {
  isLeading = false;
  #isLive = false;
  readonly #channel: BroadcastChannel;
  readonly #follow: Follow;
  readonly #listener: LiveListener;

  constructor(channel: BroadcastChannel, follow: Follow, listener: LiveListener) {
    this.#channel = channel;
    this.#follow = follow;
    this.#listener = listener;
  }

  /** Sends the current state to a newly opened tab. Its data was just loaded, so nothing is requested again. */
  introduce(): void {
    if (this.isLeading) {
      this.#channel.postMessage({ kind: 'state', isLive: this.#isLive, isFresh: false } satisfies Message);
    }
  }

  async lead(signal: AbortSignal): Promise<void> {
    this.isLeading = true;
    for (let delayMs = FIRST_DELAY_MS; !signal.aborted; delayMs = Math.min(delayMs * 2, LAST_DELAY_MS)) {
      const opened = () => {
        delayMs = FIRST_DELAY_MS;
        this.#tell({ kind: 'state', isLive: true, isFresh: !this.#isLive });
      };
      const happened = (event: LiveEvent) => this.#tell({ kind: 'event', event });
      await this.#follow({ opened, happened }, signal).catch(() => undefined);
      if (!signal.aborted) {
        this.#tell({ kind: 'state', isLive: false, isFresh: false });
        await pause(delayMs, signal);
      }
    }
  }

  #tell(message: Exclude<Message, { kind: 'hello' }>): void {
    if (message.kind === 'state') {
      this.#isLive = message.isLive;
    }
    this.#channel.postMessage(message);
    receive(message, this.#listener);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
