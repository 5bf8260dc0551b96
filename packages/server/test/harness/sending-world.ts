import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { parseNetworks } from '../../src/networks/index.ts';
import {
  type AttemptResult,
  createSender,
  type Sender,
  type SenderOptions,
} from '../../src/webhooks/sending/sender.ts';
import {
  makeReceiverCertificate,
  openTlsReceiver,
  type ReceiverCertificate,
  type TlsReceiver,
} from './tls-receiver.ts';

type ReceiverOptions = Parameters<typeof openTlsReceiver>[2];

/** Senders and receivers of one test file. */
export interface SendingWorld {
  /** A sender that trusts the receivers and resolves all of them to loopback. */
  sender(options?: Partial<SenderOptions>): Sender;
  /** A receiver, with the URL of an endpoint there. */
  receiver(
    behave: (socket: TLSSocket, number: number) => void,
    options?: ReceiverOptions,
  ): Promise<TlsReceiver & { url: string }>;
  /**
   * Sends one attempt to a receiver with this behavior, and requires that the connection is closed. Time stands still.
   */
  attempt(
    behave: (socket: TLSSocket) => void,
    receiverOptions?: ReceiverOptions,
    senderOptions?: Partial<SenderOptions>,
  ): Promise<AttemptResult>;
  /** The same, to the server at a port. */
  attemptAt(port: number, options?: Partial<SenderOptions>): Promise<AttemptResult>;
  /**
   * The same, to a receiver that calls `stuck` once the attempt can make no more progress. Then the attempt's time
   * passes, and it must end exactly when that is over.
   */
  attemptThatTimesOut(behave: (socket: TLSSocket, stuck: () => void) => void): Promise<AttemptResult>;
  /** Lets an attempt's time pass. It must end exactly when that is over. */
  timeOut(attempt: Promise<AttemptResult>): Promise<AttemptResult>;
  /** Called when the running test is over. */
  after(close: () => Promise<void>): void;
}

/** Answers with a short body. */
export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';

/** Waits for a condition while attempts' time stands still. `expect.poll` would let faked time pass. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await nextTurn();
  }
}

/** A request to a URL. */
export const post = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json', 'x-a': 'b' },
  body: '{"a":"ä"}',
});

/**
 * Opens the world of a test file. What a test opens in it is closed when the test is over. Only the tests move the
 * timers of attempts, so that nothing times out because the machine is busy.
 */
export function startSendingWorld(): SendingWorld {
  let certificate: ReceiverCertificate;
  const closing: Array<() => Promise<void>> = [];
  beforeAll(async () => {
    certificate = await makeReceiverCertificate();
  });
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(closing.splice(0).map((close) => close()));
  });

  const sender = (options: Partial<SenderOptions> = {}): Sender => {
    const networks = parseNetworks('127.0.0.0/29, ::1');
    const opened = createSender({
      timeoutMs: ATTEMPT_MS,
      allowNetworks: networks.ok ? networks.networks : [],
      extraCa: certificate.ca,
      resolve: async () => ['127.0.0.1'],
      ...options,
    });
    closing.push(opened.close);
    return opened;
  };
  const receiver: SendingWorld['receiver'] = async (behave, options) => {
    const opened = await openTlsReceiver(certificate, behave, options);
    closing.push(opened.close);
    return { ...opened, url: `https://receiver.test:${opened.port}/hook?a=b` };
  };
  const attemptAt: SendingWorld['attemptAt'] = async (port, options = {}) => {
    const { send } = sender(options);
    return send({ url: `https://receiver.test:${port}/`, headers: {}, body: '{}' });
  };
  const attempt: SendingWorld['attempt'] = async (behave, receiverOptions = {}, senderOptions = {}) => {
    const { port, counts } = await receiver(behave, receiverOptions);
    const result = await attemptAt(port, senderOptions);
    await expect.poll(() => counts.open).toBeLessThanOrEqual(result.error === null ? 1 : 0);
    return result;
  };
  const timeOut: SendingWorld['timeOut'] = async (running) => {
    let isOver = false;
    const over = running.finally(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(ATTEMPT_MS - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    return over;
  };
  const attemptThatTimesOut: SendingWorld['attemptThatTimesOut'] = async (behave) => {
    const { promise: isStuck, resolve: stuck } = Promise.withResolvers<void>();
    const { port, counts } = await receiver((socket) => behave(socket, stuck));
    const running = attemptAt(port);
    await isStuck;
    const result = await timeOut(running);
    await expect.poll(() => counts.open).toBe(0);
    return result;
  };
  return {
    sender,
    receiver,
    attempt,
    attemptAt,
    attemptThatTimesOut,
    timeOut,
    after: (close) => void closing.push(close),
  };
}

/** Less than an attempt may take to connect, so that this limit is what ends it. */
export const ATTEMPT_MS = 2_000;
