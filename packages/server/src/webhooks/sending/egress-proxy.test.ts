import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  answerWith,
  makeReceiverCertificate,
  openTlsReceiver,
  type ReceiverCertificate,
  type TlsReceiver,
} from '../../../test/harness/tls-receiver.ts';
import { parseNetworks } from '../../networks/index.ts';
import { throttleReports } from './proxy-refusals.ts';
import { createSender, type ProxyRefusal, type SenderOptions } from './sender.ts';

let certificate: ReceiverCertificate;
let receiver: TlsReceiver;
let plainProxy: Server;
let secureProxy: Server;
let status = 200;
const asked: Array<{ target: string | undefined; credentials: string | undefined }> = [];
const undo: Array<() => Promise<void>> = [];

beforeAll(async () => {
  certificate = await makeReceiverCertificate();
  receiver = await openTlsReceiver(certificate, answerWith('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'));
  plainProxy = createServer();
  secureProxy = createSecureServer({ cert: certificate.cert, key: certificate.key });
  for (const proxy of [plainProxy, secureProxy]) {
    proxy.on('connect', (request, client: Duplex) => {
      asked.push({ target: request.url, credentials: request.headers['proxy-authorization'] });
      client.on('error', () => undefined);
      if (status !== 200) {
        client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
        return;
      }
      // Only the proxy can resolve the name.
      const upstream = connect(receiver.port, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      upstream.on('error', () => client.destroy());
      client.on('close', () => upstream.destroy());
      client.pipe(upstream).pipe(client);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  }
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  status = 200;
  asked.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(async () => {
  await Promise.all(undo.splice(0).map((close) => close()));
  await receiver.close();
  for (const proxy of [plainProxy, secureProxy]) {
    proxy.closeAllConnections();
    proxy.close();
  }
});

function portOf(server: TcpServer): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

function open(options: Partial<SenderOptions>) {
  const sender = createSender({
    timeoutMs: TIMEOUT_MS,
    allowNetworks: [],
    extraCa: certificate.ca,
    resolve: async () => {
      throw new Error('nobody may ask');
    },
    ...options,
  });
  undo.push(sender.close);
  return sender;
}

/** Continues only when a test allows it. */
const TIMEOUT_MS = 400;

const request = { url: 'https://receiver.test/hook', headers: {}, body: '{}' };

describe('the egress proxy', () => {
  it.each(['http', 'https'])('carries every connection, requested by %s, and resolves the name', async (scheme) => {
    const proxy = scheme === 'http' ? plainProxy : secureProxy;
    const { send } = open({ egressProxy: new URL(`${scheme}://user:p%40ss@localhost:${portOf(proxy)}`) });
    const expected = { statusCode: 200, error: null, address: null, responseExcerpt: 'hello' };
    expect(await send(request)).toMatchObject(expected);
    expect(await send(request)).toMatchObject(expected);
    expect(asked).toEqual([
      { target: 'receiver.test:443', credentials: `Basic ${Buffer.from('user:p@ss').toString('base64')}` },
    ]);
    expect(receiver.counts.names.at(-1)).toBe('receiver.test');
  });

  it('closes the tunnel with the sender', async () => {
    const before = receiver.counts.open;
    for (const [scheme, proxy] of [
      ['http', plainProxy],
      ['https', secureProxy],
    ] as const) {
      const sender = open({ egressProxy: new URL(`${scheme}://localhost:${portOf(proxy)}`) });
      await sender.send(request);
      expect(receiver.counts.open).toBe(before + 1);
      await sender.close();
      await expect.poll(() => receiver.counts.open).toBe(before);
    }
  });

  it('is not asked for a forbidden literal or localhost', async () => {
    const { send, checkUrl } = open({ egressProxy: new URL(`http://localhost:${portOf(plainProxy)}`) });
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', 'localhost', 'a.localhost', '0x7f.1']) {
      expect(await send({ ...request, url: `https://${host}/` })).toMatchObject({ error: 'forbidden_address' });
      expect(await checkUrl(`https://${host}/`)).toBe('forbidden_address');
    }
    expect(await checkUrl('https://inside.test/')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it.each([
    [403, 'forbidden_address'],
    [407, 'forbidden_address'],
    [502, 'network_unreachable'],
    [504, 'connect_timeout'],
  ])('that answers %i causes %s', async (code, error) => {
    status = code;
    const { send } = open({ egressProxy: new URL(`http://localhost:${portOf(plainProxy)}`) });
    expect(await send(request)).toMatchObject({ statusCode: null, error, address: null });
  });

  it.each([403, 407])(
    'that answers %i is logged for the operator, once for many and without its password',
    async (code) => {
      status = code;
      const told: ProxyRefusal[] = [];
      const host = `localhost:${portOf(plainProxy)}`;
      const { send } = open({
        egressProxy: new URL(`http://user:p%40ss@${host}`),
        onProxyRefusal: (refusal) => told.push(refusal),
      });
      await send(request);
      await Promise.all([send(request), send(request)]);
      expect(told).toEqual([{ statusCode: code, proxy: host }]);
    },
  );

  it('that keeps refusing is logged once a minute', () => {
    const told: ProxyRefusal[] = [];
    let nowMs = 0;
    const tell = throttleReports(
      (refusal) => told.push(refusal),
      () => nowMs,
    );
    for (nowMs of [0, 59_999, 60_000, 60_001, 119_999, 120_000]) {
      tell({ statusCode: nowMs, proxy: 'proxy.test:3128' });
    }
    expect(told.map(({ statusCode }) => statusCode)).toEqual([0, 60_000, 120_000]);
  });

  it('is asked for the same name, whether or not a dot ends it', async () => {
    const { send } = open({ egressProxy: new URL(`http://localhost:${portOf(plainProxy)}`) });
    await send(request);
    await send({ ...request, url: 'https://receiver.test./hook' });
    expect(asked.map(({ target }) => target)).toEqual(['receiver.test:443', 'receiver.test:443']);
  });

  it('that is unreachable, hangs up or sends nonsense ends the attempt', async () => {
    const away = open({ egressProxy: new URL('http://127.0.0.1:1') });
    expect(await away.send(request)).toMatchObject({ error: 'network_unreachable' });
    const odd = createTcpServer();
    odd.listen(0, '127.0.0.1');
    await once(odd, 'listening');
    const behaviours: Array<[string, (socket: Duplex) => unknown]> = [
      ['network_unreachable', (socket) => socket.destroy()],
      ['network_unreachable', (socket) => socket.write('nonsense\r\n\r\n')],
    ];
    for (const [error, behave] of behaviours) {
      odd.removeAllListeners('connection').on('connection', (socket) => {
        socket.on('error', () => undefined);
        behave(socket);
      });
      const { send } = open({ egressProxy: new URL(`http://127.0.0.1:${portOf(odd)}`) });
      expect(await send(request)).toMatchObject({ statusCode: null, error });
    }
    odd.close();
  });

  it('that stays silent is waited for only until the attempt times out', async () => {
    const { promise: asked, resolve: hasAsked } = Promise.withResolvers<void>();
    const silent = createTcpServer((socket) => {
      socket.on('error', () => undefined).once('data', () => hasAsked());
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { send } = open({ egressProxy: new URL(`http://127.0.0.1:${portOf(silent)}`) });
    let isOver = false;
    const attempt = send(request).finally(() => {
      isOver = true;
    });
    await asked;
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await attempt).toMatchObject({ statusCode: null, error: 'connect_timeout' });
    silent.close();
  });
});

describe('a proxy in the environment', () => {
  it('is ignored', async () => {
    const proxy = `http://127.0.0.1:${portOf(plainProxy)}`;
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    Object.assign(process.env, Object.fromEntries(names.map((name) => [name, proxy])), { NODE_USE_ENV_PROXY: '1' });
    try {
      const networks = parseNetworks('127.0.0.1');
      const { send } = open({
        allowNetworks: networks.ok ? networks.networks : [],
        resolve: async () => ['127.0.0.1'],
      });
      const url = `https://receiver.test:${receiver.port}/`;
      expect(await send({ ...request, url })).toMatchObject({ error: null, address: '127.0.0.1' });
      expect(asked).toEqual([]);
    } finally {
      for (const name of [...names, 'NODE_USE_ENV_PROXY']) {
        delete process.env[name];
      }
    }
  });
});
