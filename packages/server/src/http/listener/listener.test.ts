import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request as plainRequest } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2, type Http2ServerRequest } from 'node:http2';
import { Agent, request as secureRequest } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureLocalCertificate, type LocalCertificate } from '../../security/index.ts';
import { type Listener, type ListenOptions, listen } from './index.ts';

const megabyte = 'x'.repeat(1_000_000);
const short = { handshakeMs: 150, headersMs: 200, requestMs: 400, idleMs: 300, stalledMs: 2000 };

let dir: string;
let certificate: LocalCertificate;
let listener: Listener;
let release: () => void;
let started: Promise<void>;
let served: number;
let seen: { authorization: string | undefined; body: string };

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'seathold-listener-'));
  certificate = await ensureLocalCertificate({ dir, hostnames: [], now: new Date() });
});

afterAll(() => rm(dir, { recursive: true }));

beforeEach(() => {
  served = 0;
  seen = { authorization: undefined, body: '' };
});

afterEach(() => listener.close(0));

/** `/big` answers a megabyte, `/slow` when the test says so, `/early` without waiting for the body, the rest echoes. */
async function open(options: Partial<ListenOptions> = {}): Promise<void> {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  release = held.resolve;
  started = arrived.promise;
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    cert: certificate.certPem,
    key: certificate.keyPem,
    handler: (req, res) => {
      served += 1;
      const answer = (body: string) => {
        if (res.writableEnded) return;
        res.setHeader('content-type', 'text/plain');
        res.end(body);
      };
      if (req.url === '/big') return answer(megabyte);
      if (req.url === '/early') return answer('early');
      if (req.url === '/slow') {
        arrived.resolve();
        void held.promise.then(() => answer('slow'));
        return;
      }
      void readAll(req).then((body) => answer(`${req.httpVersion} ${req.method} ${body}`));
    },
    onPlainHttp: (req, res) => {
      seen = { authorization: req.headers.authorization, body: '' };
      res.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"https_required"}');
    },
    onClientError: (kind) => ({
      status: { malformed: 400, 'headers-too-large': 431, timeout: 408 }[kind],
      headers: { 'Content-Type': 'application/json' },
      body: `{"error":"${kind}"}`,
    }),
    ...options,
  });
}

async function readAll(req: IncomingMessage | Http2ServerRequest): Promise<string> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  } catch {
    return '';
  }
}

const tlsOptions = () => ({ host: '127.0.0.1', port: listener.port, servername: 'localhost', ca: certificate.caPem });

async function fetchHttp1(path: string, options: { agent?: Agent; body?: string; maxVersion?: 'TLSv1.2' } = {}) {
  const { body, ...rest } = options;
  const method = body === undefined ? 'GET' : 'POST';
  const req = secureRequest({ ...tlsOptions(), agent: false, ...rest, path, method }).end(body);
  const [res] = await once(req, 'response');
  return { status: res.statusCode, headers: res.headers, body: await readAll(res), reused: req.reusedSocket };
}

async function openTls(options: object = {}): Promise<TLSSocket> {
  const socket = connectTls({ ...tlsOptions(), ALPNProtocols: ['http/1.1'], ...options });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

function openTcp(): Socket {
  return connectTcp(listener.port, '127.0.0.1').on('error', () => undefined);
}

/** All that a raw connection answers until it is closed. */
async function converse(socket: Socket, text: string | Buffer): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

async function openHttp2Session(): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://localhost:${listener.port}`, { ca: certificate.caPem, host: '127.0.0.1' });
  session.on('error', () => undefined);
  await once(session, 'connect');
  return session;
}

async function fetchHttp2(session: ClientHttp2Session, path: string, body?: string) {
  const stream = session.request({ ':path': path, ':method': body === undefined ? 'GET' : 'POST' });
  stream.end(body);
  const [headers] = await once(stream, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { status: headers[':status'], body: Buffer.concat(chunks).toString() };
}

/** The listener is as able as before. */
async function expectUp(): Promise<void> {
  expect((await fetchHttp1('/')).body).toBe('1.1 GET ');
}

describe('HTTPS', () => {
  test('TLS 1.2 and 1.3 are spoken, 1.1 is not', async () => {
    await open();
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await openTls({ minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      expect(await converse(socket, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('200 OK');
    }
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(openTls(old)).rejects.toThrow();
    await expectUp();
  });

  test('HTTP/1.1 and HTTP/2 answer with bodies both ways, a megabyte too', async () => {
    await open();
    const session = await openHttp2Session();
    expect(await fetchHttp1('/', { body: 'hello' })).toMatchObject({ status: 200, body: '1.1 POST hello' });
    expect(await fetchHttp2(session, '/', 'hello')).toEqual({ status: 200, body: '2.0 POST hello' });
    expect((await fetchHttp1('/big')).body).toBe(megabyte);
    expect((await fetchHttp2(session, '/big')).body).toBe(megabyte);
    expect((await fetchHttp1('/', { body: megabyte })).body).toBe(`1.1 POST ${megabyte}`);
    expect((await fetchHttp2(session, '/', megabyte)).body).toBe(`2.0 POST ${megabyte}`);
    session.close();
  });

  test('connections are kept and used again', async () => {
    await open();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await fetchHttp1('/', { agent })).reused).toBe(false);
    expect((await fetchHttp1('/', { agent })).reused).toBe(true);
    agent.destroy();
  });

  test('a new certificate is used for new connections', async () => {
    await open();
    const other = await ensureLocalCertificate({ dir: join(dir, 'other'), hostnames: [], now: new Date() });
    listener.reloadCertificate(other.certPem, other.keyPem);
    const socket = await openTls({ ca: other.caPem });
    expect(socket.authorized).toBe(true);
    socket.destroy();
    expect(() => listener.reloadCertificate(other.certPem, certificate.keyPem)).toThrow();
    listener.reloadCertificate(certificate.certPem, certificate.keyPem);
    await expectUp();
  });
});

describe('plain HTTP', () => {
  test('is refused with what onPlainHttp answers, which sees the token; the body is never served', async () => {
    await open();
    const headers = { authorization: 'Bearer leaked' };
    const req = plainRequest({ host: '127.0.0.1', port: listener.port, method: 'POST', headers, agent: false });
    req.on('error', () => undefined);
    req.end(megabyte);
    const [res] = await once(req, 'response');
    expect([res.statusCode, res.headers.connection]).toEqual([403, 'close']);
    expect(await readAll(res)).toBe('{"error":"https_required"}');
    expect(seen.authorization).toBe('Bearer leaked');
    expect(served).toBe(0);
    const pipelined = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2);
    expect((await converse(openTcp(), pipelined)).match(/403 Forbidden/g)).toHaveLength(1);
  });

  test('is served to a trusted proxy', async () => {
    await open({ trustPlain: (address) => address === '127.0.0.1' });
    const answer = await converse(openTcp(), 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('1.1 GET');
  });
});

describe('what never becomes a request', () => {
  const malformed = {
    garbage: 'nonsense\r\n\r\n',
    'length and transfer coding at once':
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'no host': 'GET / HTTP/1.1\r\n\r\n',
    'a bare HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    CONNECT: 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  };
  test.each(Object.entries(malformed))('%s is answered 400 in our words', async (_, text) => {
    await open();
    const answer = await converse(await openTls(), text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('{"error":"malformed"}');
    expect(served).toBe(0);
    await expectUp();
  });

  test('garbage in the clear, broken TLS and vanishing clients leave the server up', async () => {
    await open();
    expect(await converse(openTcp(), Buffer.from([0, 1, 2, 3]))).toContain('400');
    await converse(openTcp(), Buffer.from([0x16, 3, 1, 0, 4, 9, 9, 9, 9]));
    for (let i = 0; i < 20; i += 1) {
      const socket = openTcp();
      await once(socket, 'connect');
      socket.write(i % 2 ? Buffer.from([0x16, 3]) : 'POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n1');
      socket.resetAndDestroy();
    }
    const secure = await openTls();
    secure.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n');
    secure.destroy();
    await expectUp();
  });

  test('headers that are too large or too many are answered 431', async () => {
    await open();
    const large = `X: ${'y'.repeat(20_000)}\r\n`;
    const many = Array.from({ length: 101 }, (_, i) => `X-${i}: y\r\n`).join('');
    for (const headers of [large, many]) {
      const answer = await converse(await openTls(), `GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
      expect(answer).toContain('431 Request Header Fields Too Large');
      expect(answer).toContain('{"error":"headers-too-large"}');
    }
    const session = await openHttp2Session();
    const stream = session.request({ ':path': '/', x: 'y'.repeat(20_000) });
    stream.on('error', () => undefined);
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(431);
    session.destroy();
    expect(served).toBe(0);
    await expectUp();
  });

  test('garbage behind a request that is being served does not get an answer of its own', async () => {
    await open();
    const answer = converse(await openTls(), 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n\u0000garbage');
    expect(await answer).toBe('');
  });
});

describe('slow clients', () => {
  test('a connection without a byte, and a handshake that does not end, are cut', async () => {
    await open({ limits: short });
    expect(await converse(openTcp(), '')).toBe('');
    expect(await converse(openTcp(), Buffer.from([0x16, 3, 1]))).toBe('');
    expect(await converse(await openTls(), '')).toMatch(/^(HTTP\/1\.1 408|$)/);
  });

  test('slow headers and slow bodies are answered 408 over HTTP/1.1', async () => {
    await open({ limits: short });
    const headers = converse(await openTls(), 'GET / HTTP/1.1\r\nHost:');
    const body = converse(await openTls(), 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n1');
    for (const answer of await Promise.all([headers, body])) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(answer).toContain('{"error":"timeout"}');
    }
  });

  test('slow bodies are answered 408 over HTTP/2, and the session goes on', async () => {
    await open({ limits: short });
    const session = await openHttp2Session();
    const stream = session.request({ ':path': '/', ':method': 'POST' });
    stream.on('error', () => undefined);
    stream.write('1');
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(408);
    expect(String(await stream.toArray())).toBe('{"error":"timeout"}');
    expect((await fetchHttp2(session, '/')).status).toBe(200);
    session.destroy();
  });

  test('idle connections of either protocol are closed', async () => {
    await open({ limits: short });
    const socket = await openTls();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const session = await openHttp2Session();
    await fetchHttp2(session, '/');
    socket.resume();
    await Promise.all([once(socket, 'close'), once(session, 'close')]);
  });

  test('an answer may take longer than a request may', async () => {
    await open({ limits: short });
    const answer = fetchHttp1('/slow');
    await started;
    setTimeout(release, 600);
    expect((await answer).body).toBe('slow');
  });
});

describe('floods', () => {
  test('more connections than allowed are dropped', async () => {
    await open({ limits: { maxConnections: 2 } });
    const first = [await openTls(), await openTls()];
    await expect(openTls()).rejects.toThrow();
    for (const socket of first) socket.destroy();
    await expect.poll(() => fetchHttp1('/').catch(() => undefined)).toMatchObject({ status: 200 });
  });

  test('a session that resets one stream after the other is closed', async () => {
    await open({ limits: { resetBurst: 20, resetsPerSecond: 1 } });
    const session = await openHttp2Session();
    for (let i = 0; i < 100; i += 1) {
      const stream = session.request({ ':path': '/slow' });
      stream.on('error', () => undefined);
      stream.close(8);
    }
    await new Promise((resolve) => session.once('close', resolve));
    expect(served).toBeLessThan(100);
    await expectUp();
  });
});

describe('closing', () => {
  test('what runs is finished, the rest is closed, and nothing new is accepted', async () => {
    await open();
    const agent = new Agent({ keepAlive: true });
    await fetchHttp1('/', { agent });
    const session = await openHttp2Session();
    const silent = openTcp();
    await once(silent, 'connect');
    const answers = [fetchHttp1('/slow', { agent }), fetchHttp2(session, '/slow')] as const;
    await started;
    await expect.poll(() => served).toBe(3);
    const before = performance.now();
    const closed = listener.close(5000);
    await expect(fetchHttp1('/')).rejects.toThrow();
    release();
    const [first, second] = await Promise.all(answers);
    expect(first).toMatchObject({ status: 200, body: 'slow', headers: { connection: 'close' } });
    expect(second).toEqual({ status: 200, body: 'slow' });
    await closed;
    expect(performance.now() - before).toBeLessThan(2000);
  });

  test('what does not finish in time is cut', async () => {
    await open();
    const answer = fetchHttp1('/slow').then(
      () => 'answered',
      () => 'cut',
    );
    await started;
    await listener.close(100);
    expect(await answer).toBe('cut');
  });
});

test('an answer that does not wait for the body reaches the client', async () => {
  await open();
  const socket = await openTls();
  const head = 'POST /early HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3000000\r\n\r\n';
  expect(await converse(socket, head + megabyte)).toContain('early');
});
