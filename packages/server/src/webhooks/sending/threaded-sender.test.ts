import { once } from 'node:events';
import { createServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  answerWith,
  makeReceiverCertificate,
  onRequest,
  openTlsReceiver,
  type ReceiverCertificate,
} from '../../../test/harness/tls-receiver.ts';
import { parseNetworks } from '../../networks/index.ts';
import type { SenderOptions } from './sender.ts';
import { ThreadedSender } from './threaded-sender.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';

let certificate: ReceiverCertificate;
const closing: Array<() => Promise<unknown>> = [];
beforeAll(async () => {
  certificate = await makeReceiverCertificate();
});
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

describe('a sender on a thread', () => {
  it('sends the given request, and returns the response', async () => {
    const received: string[] = [];
    const { port } = await startReceiver((socket) =>
      onRequest(socket, (text) => {
        received.push(Buffer.from(text, 'latin1').toString());
        socket.write(OK);
      }),
    );
    const sender = createSender();
    const result = await sender.send(requestTo(port, { headers: { 'x-a': 'b' }, body: '{"a":"ä"}' }));
    expect(result).toMatchObject({ statusCode: 200, error: null, address: '127.0.0.1', responseExcerpt: 'hello' });
    expect(received.join('')).toMatch(/^POST \/hook HTTP\/1\.1\r\n.*x-a: b\r\n.*\{"a":"ä"\}$/s);
  });

  it('answers each of many simultaneous attempts with its own result', async () => {
    const { port } = await startReceiver((socket) =>
      onRequest(socket, (text) => {
        const number = Number(/x-number: (\d+)/.exec(text)?.[1]);
        socket.write(`HTTP/1.1 ${number % 2 === 0 ? 200 : 500} X\r\ncontent-length: 3\r\n\r\n${number + 100}`);
      }),
    );
    const sender = createSender();
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    const results = await Promise.all(
      numbers.map((number) => sender.send(requestTo(port, { headers: { 'x-number': String(number) } }))),
    );
    expect(results.map((result) => [result.statusCode, result.responseExcerpt])).toEqual(
      numbers.map((number) => [number % 2 === 0 ? 200 : 500, String(number + 100)]),
    );
  });

  it('trusts only the given authorities, and dials only the given networks', async () => {
    const { port } = await startReceiver(answerWith(OK));
    const stranger = createSender({ extraCa: undefined });
    expect((await stranger.send(requestTo(port))).error).toBe('tls_error');
    const strict = createSender({ allowNetworks: [] });
    expect((await strict.send(requestTo(port))).error).toBe('forbidden_address');
    expect(await strict.checkUrl('https://127.0.0.1/')).toBe('forbidden_address');
    expect(await createSender().checkUrl('https://127.0.0.1/')).toBeUndefined();
  });

  it('reports refusals of the egress proxy', async () => {
    const proxy = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'));
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    closing.push(async () => proxy.close());
    const address = proxy.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { promise: refusal, resolve: onProxyRefusal } = Promise.withResolvers();
    const sender = createSender({ egressProxy: new URL(`http://user:secret@127.0.0.1:${port}`), onProxyRefusal });
    const result = await sender.send({ url: 'https://example.com/hook', headers: {}, body: '{}' });
    expect(result.error).toBe('forbidden_address');
    expect(await refusal).toEqual({ statusCode: 403, proxy: `127.0.0.1:${port}` });
  });

  it('ends the attempts of an aborted signal, and no others', async () => {
    let arrived = 0;
    const { promise: bothArrived, resolve } = Promise.withResolvers<void>();
    const { port } = await startReceiver((socket) =>
      onRequest(socket, () => {
        arrived += 1;
        if (arrived === 2) {
          resolve();
        }
      }),
    );
    const sender = createSender({ timeoutMs: 2_000 });
    const aborter = new AbortController();
    const ended = sender.send(requestTo(port), aborter.signal);
    const other = sender.send(requestTo(port));
    await bothArrived;
    aborter.abort(new Error('the service stops'));
    await expect(ended).rejects.toThrow('the service stops');
    await expect(sender.send(requestTo(port), aborter.signal)).rejects.toThrow('the service stops');
    expect((await other).error).toBe('timeout');
  });

  it('waits for its attempts when it closes', async () => {
    const { port } = await startReceiver((socket) => onRequest(socket, () => setTimeout(() => socket.write(OK), 200)));
    const sender = createSender();
    const running = sender.send(requestTo(port));
    await sender.close();
    expect((await running).statusCode).toBe(200);
  });

  it('closes without ever having started a thread', async () => {
    await createSender().close();
  });

  it('rejects the attempts of a lost thread, and sends the next ones from a new thread', async () => {
    let isHanging = true;
    const { promise: hasArrived, resolve } = Promise.withResolvers<void>();
    const { port } = await startReceiver((socket) =>
      onRequest(socket, () => {
        resolve();
        if (!isHanging) {
          socket.write(OK);
        }
      }),
    );
    const threads: Worker[] = [];
    const onWorker = (worker: Worker) => threads.push(worker);
    process.on('worker', onWorker);
    closing.push(async () => process.off('worker', onWorker));
    const sender = createSender();
    const lost = sender.send(requestTo(port));
    await hasArrived;
    isHanging = false;
    const lostAttempt = expect(lost).rejects.toThrow('the sending thread was lost');
    await threads[0]?.terminate();
    await lostAttempt;
    expect((await sender.send(requestTo(port))).statusCode).toBe(200);
    expect(threads).toHaveLength(2);
  });
});

function startReceiver(behave: (socket: TLSSocket) => void): Promise<{ port: number }> {
  return openTlsReceiver(certificate, behave).then((receiver) => {
    closing.push(receiver.close);
    return receiver;
  });
}

function createSender(options: Partial<SenderOptions> = {}): ThreadedSender {
  const networks = parseNetworks('127.0.0.0/29');
  const sender = new ThreadedSender({
    timeoutMs: 15_000,
    allowNetworks: networks.ok ? networks.networks : [],
    extraCa: certificate.ca,
    ...options,
  });
  closing.unshift(() => sender.close());
  return sender;
}

function requestTo(port: number, parts: { headers?: Record<string, string>; body?: string } = {}) {
  return { url: `https://127.0.0.1:${port}/hook`, headers: {}, body: '{}', ...parts };
}
