import { createSecureContext } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  answerWith,
  makeReceiverCertificate,
  onRequest,
  openTlsReceiver,
  type ReceiverCertificate,
} from '../../../test/harness/tls-receiver.ts';
import { parseNetworks } from '../../networks/index.ts';
import { createGuard } from './address-guard.ts';
import { ConnectionPool } from './connection-pool.ts';
import { dialDirectly } from './dial-directly.ts';
import { EarlyEnd } from './early-end.ts';
import { createSender } from './sender.ts';
import { targetOf } from './url-rules.ts';

let certificate: ReceiverCertificate;
const undo: Array<() => unknown> = [];

beforeAll(async () => {
  certificate = await makeReceiverCertificate();
});

afterEach(async () => {
  await Promise.all(undo.splice(0).map((close) => close()));
});

async function startReceiver(behave: Parameters<typeof openTlsReceiver>[1]) {
  const receiver = await openTlsReceiver(certificate, behave);
  undo.push(receiver.close);
  return receiver;
}

function loopback() {
  const networks = parseNetworks('127.0.0.1');
  return networks.ok ? networks.networks : [];
}

function openPool(limits: { perOrigin: number; kept: number }): ConnectionPool {
  const guard = createGuard(async () => ['127.0.0.1'], loopback());
  const pool = new ConnectionPool(dialDirectly(guard, createSecureContext({ ca: certificate.ca }), 1_000), limits);
  undo.push(() => pool.close());
  return pool;
}

const target = (url: string) => targetOf(new URL(url));

async function visit(pool: ConnectionPool, url: string): Promise<void> {
  const connection = await pool.take(target(url), new EarlyEnd(), 'any');
  await connection.send({ path: '/', headers: {}, body: '' }, new EarlyEnd());
  pool.giveBack(connection);
}

describe('connections', () => {
  it('are kept in a limited number, and origins are forgotten with their last connection', async () => {
    const receiver = await startReceiver(
      answerWith('HTTP/1.1 200 OK\r\nkeep-alive: timeout=2\r\ncontent-length: 0\r\n\r\n'),
    );
    const pool = openPool({ perOrigin: 100, kept: 20 });
    for (let at = 0; at < 60; at += 1) {
      await visit(pool, `https://r${at}.receiver.test:${receiver.port}/`);
      expect(pool.size.kept).toBeLessThanOrEqual(20);
    }
    await expect.poll(() => pool.size.origins).toBe(20);
    await expect.poll(() => pool.size).toEqual({ origins: 0, kept: 0 });
    await expect.poll(() => receiver.counts.open).toBe(0);
  });

  it('to an unreachable origin leave nothing behind', async () => {
    const pool = openPool({ perOrigin: 100, kept: 20 });
    for (let at = 0; at < 20; at += 1) {
      await expect(visit(pool, `https://r${at}.receiver.test:1/`)).rejects.toThrow('connection_refused');
    }
    expect(pool.size).toEqual({ origins: 0, kept: 0 });
  });

  it('are renewed after a thousand requests, so that a receiver that moved is found again', async () => {
    const receiver = await startReceiver(answerWith('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    const pool = openPool({ perOrigin: 1, kept: 1 });
    for (let at = 0; at < 1_001; at += 1) {
      await visit(pool, `https://receiver.test:${receiver.port}/`);
    }
    expect(receiver.counts.opened).toBe(2);
  });

  it('to one machine are counted together, whether or not its name ends with a dot', async () => {
    const hosts: string[] = [];
    const receiver = await startReceiver((socket) =>
      onRequest(socket, (text) => {
        hosts.push(/^host: (.*)$/im.exec(text)?.[1] ?? '');
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      }),
    );
    const pool = openPool({ perOrigin: 1, kept: 10 });
    const [plain, dotted] = [`https://receiver.test:${receiver.port}/`, `https://receiver.test.:${receiver.port}/`];
    const held = await pool.take(target(plain), new EarlyEnd(), 'any');
    const waiting = pool.take(target(dotted), new EarlyEnd(), 'any');
    expect(pool.size.origins).toBe(1);
    pool.giveBack(held);
    pool.giveBack(await waiting);
    for (const url of [plain, dotted, dotted, plain]) {
      await visit(pool, url);
      expect(receiver.counts.open).toBeLessThanOrEqual(1);
    }
    // Like browsers do: the Host header is the URL's, SNI never has the dot (RFC 6066 section 3).
    expect(hosts).toEqual([plain, dotted, dotted, plain].map((url) => new URL(url).host));
    expect(new Set(receiver.counts.names)).toEqual(new Set(['receiver.test']));
  });

  it('are handed on in turn, and no turn is lost if a waiting attempt gives up', async () => {
    const receiver = await startReceiver(answerWith('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    const pool = openPool({ perOrigin: 1, kept: 1 });
    const url = target(`https://receiver.test:${receiver.port}/`);
    const first = await pool.take(url, new EarlyEnd(), 'any');
    const impatient = new EarlyEnd();
    const given = pool.take(url, impatient, 'any');
    const patient = pool.take(url, new EarlyEnd(), 'any');
    impatient.end(new Error('no more time'));
    pool.giveBack(first);
    await expect(given).rejects.toThrow('no more time');
    expect(await patient).toBe(first);
    const wantsFresh = pool.take(url, new EarlyEnd(), 'fresh');
    pool.giveBack(first);
    expect(await wantsFresh).not.toBe(first);
  });
});

/** Longer than an attempt waits for a busy connection before it dials. */
const DIALLED_MS = 10;

describe('two hundred simultaneous endless responses', () => {
  it('take a limited amount of memory and leave no connection', async () => {
    const portion = 'a'.repeat(16_384);
    const receiver = await startReceiver((socket) => {
      socket.resume();
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(portion)) {}
      };
      socket.on('drain', more);
      more();
    });
    const { send, close } = createSender({
      timeoutMs: 20_000,
      allowNetworks: loopback(),
      extraCa: certificate.ca,
      resolve: async () => ['127.0.0.1'],
    });
    undo.push(close, () => vi.useRealTimers());
    // Two hundred handshakes at both ends may take this process longer than one attempt may last.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const url = `https://receiver.test:${receiver.port}/`;
    const before = process.memoryUsage.rss();
    const attempts = Array.from({ length: 200 }, () => send({ url, headers: {}, body: '{}' }));
    await vi.advanceTimersByTimeAsync(DIALLED_MS);
    const results = await Promise.all(attempts);
    expect(results.every(({ error, responseExcerpt }) => error === null && responseExcerpt?.length === 4_096)).toBe(
      true,
    );
    // Both ends of two hundred TLS connections are in this process.
    expect((process.memoryUsage.rss() - before) / 1_048_576).toBeLessThan(250);
    await expect.poll(() => receiver.counts.open).toBe(0);
  });
});
