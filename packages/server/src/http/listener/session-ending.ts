import { constants, type ServerHttp2Session } from 'node:http2';

/**
 * Ends HTTP/2 sessions in two steps (RFC 9113 section 6.8). A GOAWAY with the highest stream identifier announces the end
 * and refuses nothing. The one that closing sends names the last stream that was served. It comes only when the client has
 * had time to read the first, because it refuses the requests that are on their way.
 */
export class SessionEnding {
  readonly #sessions: ReadonlySet<ServerHttp2Session>;
  readonly #toldAtMs = new WeakMap<ServerHttp2Session, number>();
  readonly #closing = new WeakSet<ServerHttp2Session>();
  #stage: 'open' | 'announced' | 'closing' = 'open';

  constructor(sessions: ReadonlySet<ServerHttp2Session>) {
    this.#sessions = sessions;
  }

  announce(): void {
    this.#stage = 'announced';
    for (const session of this.#sessions) this.#tell(session);
  }

  close(): void {
    this.#stage = 'closing';
    for (const session of this.#sessions) this.#close(session);
  }

  /** A session has opened. */
  opened(session: ServerHttp2Session): void {
    if (this.#stage === 'closing') this.#close(session);
  }

  /** A request has arrived. A new session gets its GOAWAY with the first: earlier, a client would only open another connection. */
  requested(session: ServerHttp2Session | undefined): void {
    if (this.#stage !== 'open' && session !== undefined) this.#tell(session);
  }

  #tell(session: ServerHttp2Session): void {
    if (this.#toldAtMs.has(session) || session.closed || session.destroyed) return;
    this.#toldAtMs.set(session, performance.now());
    session.goaway(constants.NGHTTP2_NO_ERROR, LAST_OF_ALL_STREAMS);
  }

  #close(session: ServerHttp2Session): void {
    if (this.#closing.has(session)) return;
    this.#closing.add(session);
    this.#tell(session);
    const waitMs = (this.#toldAtMs.get(session) ?? 0) + READ_GOAWAY_MS - performance.now();
    if (waitMs <= 0) {
      session.close();
      return;
    }
    const timer = setTimeout(() => session.close(), waitMs);
    session.once('close', () => clearTimeout(timer));
  }
}

const LAST_OF_ALL_STREAMS = 2 ** 31 - 1;
/** A few round trips to a client that is busy. */
const READ_GOAWAY_MS = 500;
