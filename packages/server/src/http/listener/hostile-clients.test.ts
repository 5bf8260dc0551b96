import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  connectHttp2,
  connectTcp,
  connectTls,
  converse,
  expectUp,
  fetchHttp1,
  fetchHttp2,
  patient,
  release,
  served,
  started,
  startListener,
  useListener,
} from '../../../test/http/listener-under-test.ts';

useListener();

describe('input that never becomes a request:', () => {
  const malformed = {
    garbage: 'nonsense\r\n\r\n',
    'both a length and a transfer coding':
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'no host': 'GET / HTTP/1.1\r\n\r\n',
    'a bare HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a version of three digits': 'GET / HTTP/11.1\r\nHost: x\r\n\r\n',
    'a line that ends without a carriage return': 'GET / HTTP/1.1\nHost: x\n\n',
    'two hosts': 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    'the same host twice': 'GET / HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n',
    'a transfer coding in HTTP/1.0': 'POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'no version': 'GET /\r\n\r\n',
    CONNECT: 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  };
  test.each(Object.entries(malformed))('%s is answered with 400 in our format', async (_, text) => {
    await startListener();
    const answer = await converse(await connectTls(), text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('{"error":"malformed"}');
    expect(served).toBe(0);
    await expectUp();
  });

  test.each(['2.0', '1.2', '3.0', '0.9'])('a request in HTTP/%s is answered with 505', async (version) => {
    await startListener();
    const answer = await converse(await connectTls(), `GET / HTTP/${version}\r\nHost: x\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 505 HTTP Version Not Supported\r\n/);
    expect(answer).toContain('{"error":"unsupported-version"}');
    expect(served).toBe(0);
  });

  test.each(['2.0', '1.2', '3.0'])('a request in HTTP/%s without a host is also answered with 505', async (version) => {
    await startListener();
    expect(await converse(await connectTls(), `GET / HTTP/${version}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 505 /);
    expect(served).toBe(0);
  });

  test('an expectation other than 100-continue is answered with 417 over either protocol', async () => {
    await startListener();
    const answer = await converse(await connectTls(), 'GET / HTTP/1.1\r\nHost: x\r\nExpect: a-pony\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/);
    const session = await connectHttp2();
    const stream = session.request({ ':path': '/', expect: 'a-pony' });
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(417);
    session.destroy();
    expect(served).toBe(0);
  });

  test('unencrypted garbage, broken TLS and vanishing clients do not stop the server', async () => {
    await startListener();
    expect(await converse(connectTcp(), Buffer.from([0, 1, 2, 3]))).toContain('400');
    await converse(connectTcp(), Buffer.from([0x16, 3, 1, 0, 4, 9, 9, 9, 9]));
    for (let i = 0; i < 20; i += 1) {
      const socket = connectTcp();
      await once(socket, 'connect');
      socket.write(i % 2 ? Buffer.from([0x16, 3]) : 'POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n1');
      socket.resetAndDestroy();
    }
    const secure = await connectTls();
    secure.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n');
    secure.destroy();
    await expectUp();
  });

  test('headers that are too large or too many are answered with 431', async () => {
    await startListener();
    const large = `X: ${'y'.repeat(20_000)}\r\n`;
    const many = Array.from({ length: 101 }, (_, i) => `X-${i}: y\r\n`).join('');
    // More than one TLS record, so the parser sees the rest after the response was written.
    const huge = `X: ${'y'.repeat(100_000)}\r\n`;
    for (const headers of [large, huge, many]) {
      const answer = await converse(await connectTls(), `GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
      expect(answer).toContain('431 Request Header Fields Too Large');
      expect(answer).toContain('{"error":"headers-too-large"}');
    }
    const session = await connectHttp2();
    const stream = session.request({ ':path': '/', x: 'y'.repeat(20_000) });
    stream.on('error', () => undefined);
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(431);
    expect(String(await stream.toArray())).toBe('{"error":"headers-too-large"}');
    session.destroy();
    expect(served).toBe(0);
    await expectUp();
  });

  test('garbage after a request that is being served gets no response of its own', async () => {
    await startListener();
    const answer = converse(await connectTls(), 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n\u0000garbage');
    expect(await answer).toBe('');
  });
});

/** Short, but enough for what a client sends immediately, however busy the machine is. */
const SOON_MS = 1_500;

describe('slow clients:', () => {
  test('a connection without a byte, and an unfinished handshake, are cut off', async () => {
    await startListener({ limits: { ...patient, handshakeMs: 150 } });
    expect(await converse(connectTcp(), '')).toBe('');
    expect(await converse(connectTcp(), Buffer.from([0x16, 3, 1]))).toBe('');
  });

  test('a connection that stays silent after its handshake is closed', async () => {
    await startListener({ limits: { ...patient, headersMs: SOON_MS } });
    expect(await converse(await connectTls(), '')).toMatch(/^(HTTP\/1\.1 408|$)/);
  });

  test('slow headers and slow bodies are answered with 408 over HTTP/1.1', async () => {
    await startListener({ limits: { ...patient, headersMs: SOON_MS, requestMs: 2 * SOON_MS } });
    const headers = converse(await connectTls(), 'GET / HTTP/1.1\r\nHost:');
    const body = converse(await connectTls(), 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n1');
    for (const answer of await Promise.all([headers, body])) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(answer).toContain('{"error":"timeout"}');
    }
  });

  test('slow bodies are answered with 408 over HTTP/2, and the session continues', async () => {
    await startListener({ limits: { ...patient, requestMs: SOON_MS } });
    const session = await connectHttp2();
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
    await startListener({ limits: { ...patient, idleMs: SOON_MS } });
    const socket = await connectTls();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const session = await connectHttp2();
    await fetchHttp2(session, '/');
    socket.resume();
    await Promise.all([once(socket, 'close'), once(session, 'close')]);
  });

  test('a response may take longer than a request', async () => {
    await startListener({ limits: { ...patient, headersMs: SOON_MS, requestMs: SOON_MS } });
    const answer = fetchHttp1('/slow');
    await started;
    setTimeout(release, 2 * SOON_MS);
    expect((await answer).body).toBe('slow');
  });
});

describe('floods:', () => {
  test('more connections than allowed are dropped', async () => {
    await startListener({ limits: { maxConnections: 2 } });
    const first = [await connectTls(), await connectTls()];
    await expect(connectTls()).rejects.toThrow();
    for (const socket of first) socket.destroy();
    await expect.poll(() => fetchHttp1('/').catch(() => undefined)).toMatchObject({ status: 200 });
  });

  test('connections beyond the limit of an address are dropped, and a closed connection frees its slot', async () => {
    await startListener({ limits: { maxConnectionsPerAddress: 3 } });
    const first = [await connectTls(), await connectTls(), await connectTls()];
    await expect(connectTls()).rejects.toThrow();
    first[0]?.destroy();
    await expect.poll(() => fetchHttp1('/').catch(() => undefined)).toMatchObject({ status: 200 });
    for (const socket of first) socket.destroy();
  });

  test('a trusted proxy has no connection limit', async () => {
    await startListener({ limits: { maxConnectionsPerAddress: 1 }, trustPlain: (address) => address === '127.0.0.1' });
    const sockets = [await connectTls(), await connectTls(), await connectTls()];
    await expectUp();
    for (const socket of sockets) socket.destroy();
  });

  test('a session that resets stream after stream is closed', async () => {
    await startListener({ limits: { resetBurst: 20, resetsPerSecond: 1 } });
    const session = await connectHttp2();
    for (let i = 0; i < 5000; i += 1) {
      const stream = session.request({ ':path': '/slow' });
      stream.on('error', () => undefined);
      stream.close(8);
    }
    await new Promise((resolve) => session.once('close', resolve));
    expect(served).toBeLessThan(5000);
    await expectUp();
  });
});
