import type { Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';
import { AttemptFailure, errorOfExchange, isUnsent } from './attempt-errors.ts';
import { EXCERPT_BYTES } from './response-excerpt.ts';

/** What is sent on a connection. */
export interface Exchange {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What came back: the status, and as much of the body as is kept. */
export interface Answer {
  statusCode: number;
  body: Buffer;
}

/** The connection was lost before the request was written. */
export class Unsent extends AttemptFailure {}

/** The body is read so far; then the socket is destroyed. Most receivers answer less, and their connections are kept. */
const BODY_BYTES = 65_536;

/** All that may come for one request, frames and interim answers included: those are no body, and have no end either. */
const WIRE_BYTES = 1_048_576;

const INTERIM_ANSWERS = 16;

/**
 * Sends a POST and reads the answer. As soon as the head has come, the status decides: the body may be cut, break off
 * or never end. If the exchange ends before that, it rejects: an abort with the signal's reason, anything else with an
 * AttemptFailure. A connection whose state is in doubt is destroyed.
 */
export function exchange(
  { client, socket }: { client: Client; socket: Socket },
  request: Exchange,
  signal: AbortSignal,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const answer = new AnswerReader();
  const bytesBefore = socket.bytesRead;
  /** Ends with what has come, or else with the failure; only the first call counts. */
  const end = (failure: unknown) => {
    if (answer.statusCode === undefined) {
      reject(failure);
    } else {
      resolve({ statusCode: answer.statusCode, body: answer.body });
    }
  };
  const cut = (failure: unknown) => {
    end(failure);
    socket.destroy();
  };
  const abort = () => cut(signal.reason);
  const bound = () => {
    if (socket.bytesRead - bytesBefore > WIRE_BYTES) {
      cut(new AttemptFailure('invalid_response'));
    }
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => undefined,
    onResponseStart: (_controller, statusCode) => {
      if (!answer.takeStatus(statusCode)) {
        cut(new AttemptFailure('invalid_response'));
      }
    },
    onResponseData: (_controller, chunk) => {
      if (!answer.takeData(chunk)) {
        cut(undefined);
      }
    },
    onResponseEnd: () => end(undefined),
    onResponseError: (_controller, error) => {
      const failure = isUnsent(error) ? Unsent : AttemptFailure;
      cut(new failure(errorOfExchange(error), null, error));
    },
  };
  signal.addEventListener('abort', abort);
  socket.on('readable', bound);
  if (signal.aborted) {
    abort();
  } else {
    client.dispatch({ method: 'POST', blocking: false, ...request }, handler);
  }
  return promise.finally(() => {
    signal.removeEventListener('abort', abort);
    socket.off('readable', bound);
  });
}

/** What has come of an answer so far, within its limits. */
class AnswerReader {
  statusCode: number | undefined;
  #interim = 0;
  #size = 0;
  readonly #kept: Buffer[] = [];
  #keptSize = 0;

  get body(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /** False when there were too many interim answers. */
  takeStatus(statusCode: number): boolean {
    if (statusCode < 200) {
      this.#interim += 1;
      return this.#interim <= INTERIM_ANSWERS;
    }
    this.statusCode = statusCode;
    return true;
  }

  /** False when the body is longer than is read. */
  takeData(chunk: Buffer): boolean {
    this.#size += chunk.length;
    if (this.#keptSize < EXCERPT_BYTES) {
      // Copied, because a slice would hold on to all of the 64 KiB that it was read into.
      const part = Buffer.from(chunk.subarray(0, EXCERPT_BYTES - this.#keptSize));
      this.#kept.push(part);
      this.#keptSize += part.length;
    }
    return this.#size <= BODY_BYTES;
  }
}
