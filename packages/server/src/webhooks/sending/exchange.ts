import type { Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';
import { AttemptFailure, errorOfExchange, isUnsent } from './attempt-errors.ts';
import type { EarlyEnd } from './early-end.ts';
import { EXCERPT_BYTES } from './response-excerpt.ts';

/** A request on a connection. */
export interface Outgoing {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The response: its status, and the kept part of the body. */
export interface Answer {
  statusCode: number;
  body: Buffer;
}

/** The connection was lost before the request was written. */
export class Unsent extends AttemptFailure {}

/**
 * The maximum length read from a body; beyond it, the socket is destroyed. Most responses are shorter, and their
 * connections are kept.
 */
const BODY_BYTES = 65_536;

/**
 * The maximum length of everything received for one request, including frames and interim responses, which are
 * otherwise unbounded.
 */
const WIRE_BYTES = 1_048_576;

const INTERIM_ANSWERS = 16;

/**
 * Sends a POST and reads the response. Once the head has arrived, the status decides: the body may be cut, break off or
 * never end. If the exchange ends before that, it rejects: with the reason of an early end, or with an AttemptFailure.
 * A connection in an unknown state is destroyed.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #socket: Socket;
  readonly #ending: EarlyEnd;
  readonly #answer = new AnswerReader();
  readonly #bytesBefore: number;
  #resolve: (answer: Answer) => void = () => undefined;
  #reject: (failure: unknown) => void = () => undefined;

  constructor(socket: Socket, ending: EarlyEnd) {
    this.#socket = socket;
    this.#ending = ending;
    this.#bytesBefore = socket.bytesRead;
  }

  run(client: Client, { path, headers, body }: Outgoing): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#ending.onEnd(() => this.#cut(this.#ending.reason));
      if (!this.#ending.hasEnded) {
        client.dispatch({ method: 'POST', blocking: false, path, headers, body }, this);
      }
    });
  }

  /** Ends it if more has been received than any response may have. */
  requireBound(): void {
    if (this.#socket.bytesRead - this.#bytesBefore > WIRE_BYTES) {
      this.#cut(new AttemptFailure('invalid_response'));
    }
  }

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    if (!this.#answer.takeStatus(statusCode)) {
      this.#cut(new AttemptFailure('invalid_response'));
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#answer.takeData(chunk)) {
      this.#cut(undefined);
    }
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const failure = isUnsent(error) ? Unsent : AttemptFailure;
    this.#cut(new failure(errorOfExchange(error), null, error));
  }

  #cut(failure: unknown): void {
    this.#end(failure);
    this.#socket.destroy();
  }

  /** Ends with the received response, or otherwise with the failure; only the first call counts. */
  #end(failure: unknown): void {
    this.#ending.offEnd();
    const { statusCode } = this.#answer;
    if (statusCode === undefined) {
      this.#reject(failure);
    } else {
      this.#resolve({ statusCode, body: this.#answer.body });
    }
  }
}

/** The received part of a response, within its limits. */
class AnswerReader {
  statusCode: number | undefined;
  #interim = 0;
  #size = 0;
  readonly #kept: Buffer[] = [];
  #keptSize = 0;

  get body(): Buffer {
    const [first] = this.#kept;
    return first !== undefined && this.#kept.length === 1 ? first : Buffer.concat(this.#kept);
  }

  /** False if there were too many interim responses. */
  takeStatus(statusCode: number): boolean {
    if (statusCode < 200) {
      this.#interim += 1;
      return this.#interim <= INTERIM_ANSWERS;
    }
    this.statusCode = statusCode;
    return true;
  }

  /** False if the body is longer than the limit. */
  takeData(chunk: Buffer): boolean {
    this.#size += chunk.length;
    if (this.#keptSize < EXCERPT_BYTES) {
      // Copied, because a slice would retain the whole 64 KiB buffer.
      const part = Buffer.from(chunk.subarray(0, EXCERPT_BYTES - this.#keptSize));
      this.#kept.push(part);
      this.#keptSize += part.length;
    }
    return this.#size <= BODY_BYTES;
  }
}
