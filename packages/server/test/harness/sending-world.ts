import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, expect } from 'vitest';
import { parseNetworks } from '../../src/http/index.ts';
import { type AttemptResult, openSender, type Sender, type SenderOptions } from '../../src/webhooks/sending/sender.ts';
import {
  makeReceiverCertificate,
  openTlsReceiver,
  type ReceiverCertificate,
  type TlsReceiver,
} from './tls-receiver.ts';

type ReceiverOptions = Parameters<typeof openTlsReceiver>[2];

/** Senders and receivers of one test file. */
export interface SendingWorld {
  /** A sender that trusts the receivers and finds all of them on loopback. */
  sender(options?: Partial<SenderOptions>): Sender;
  /** A receiver, with the URL of an endpoint there. */
  receiver(
    behave: (socket: TLSSocket, number: number) => void,
    options?: ReceiverOptions,
  ): Promise<TlsReceiver & { url: string }>;
  /** Sends one attempt to a receiver that behaves so, and holds it to its time and to letting go of the connection. */
  attempt(
    behave: (socket: TLSSocket) => void,
    receiverOptions?: ReceiverOptions,
    senderOptions?: Partial<SenderOptions>,
  ): Promise<AttemptResult>;
  /** The same to whatever listens at a port. */
  attemptAt(port: number, options?: Partial<SenderOptions>): Promise<AttemptResult>;
  /** Called when the running test is over. */
  after(close: () => Promise<void>): void;
}

/** Answers with a short body. */
export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';

/** What is sent to a URL. */
export const post = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json', 'x-a': 'b' },
  body: '{"a":"ä"}',
});

/** Opens the world of a test file; what a test opens in it is closed when the test is over. */
export function openSendingWorld(): SendingWorld {
  let certificate: ReceiverCertificate;
  const closing: Array<() => Promise<void>> = [];
  beforeAll(async () => {
    certificate = await makeReceiverCertificate();
  });
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
  });

  const sender = (options: Partial<SenderOptions> = {}): Sender => {
    const networks = parseNetworks('127.0.0.0/29, ::1');
    const opened = openSender({
      timeoutMs: 2_000,
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
    const { timeoutMs = ATTEMPT_MS } = options;
    const { send } = sender({ ...options, timeoutMs });
    const result = await send({ url: `https://receiver.test:${port}/`, headers: {}, body: '{}' });
    expect(result.durationMs).toBeLessThan(timeoutMs + 400);
    return result;
  };
  const attempt: SendingWorld['attempt'] = async (behave, receiverOptions = {}, senderOptions = {}) => {
    const { port, counts } = await receiver(behave, receiverOptions);
    const result = await attemptAt(port, senderOptions);
    await expect.poll(() => counts.open).toBeLessThanOrEqual(result.error === null ? 1 : 0);
    return result;
  };
  return { sender, receiver, attempt, attemptAt, after: (close) => void closing.push(close) };
}

/** Short, so that what hangs is soon over. */
export const ATTEMPT_MS = 700;
