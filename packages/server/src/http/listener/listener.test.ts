import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { getCiphers } from 'node:tls';
import { describe, expect, test } from 'vitest';
import {
  certificate,
  connectHttp2,
  connectTcp,
  connectTls,
  converse,
  dir,
  expectUp,
  fetchHttp1,
  fetchHttp2,
  listener,
  megabyte,
  readAll,
  release,
  seen,
  served,
  started,
  startListener,
  useListener,
} from '../../../test/http/listener-under-test.ts';
import { ensureLocalCertificate } from '../../security/index.ts';

useListener();

describe('HTTPS:', () => {
  test('TLS 1.2 and 1.3 are supported, 1.1 is not', async () => {
    await startListener();
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await connectTls({ minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      expect(await converse(socket, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('200 OK');
    }
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(connectTls(old)).rejects.toThrow();
    await expectUp();
  });

  test('only cipher suites with forward secrecy and authenticated encryption are offered', async () => {
    await startListener();
    // The suites that clients can offer with an ECDSA certificate, and one of each outdated kind.
    const spoken = ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305'];
    const refused = [
      'ECDHE-ECDSA-AES128-SHA256',
      'ECDHE-ECDSA-AES256-SHA384',
      'ECDHE-ECDSA-AES128-SHA',
      'ECDHE-ECDSA-AES256-SHA',
      'ECDHE-ECDSA-AES128-CCM',
      'ECDHE-ECDSA-AES256-CCM8',
      'ECDHE-ECDSA-ARIA128-GCM-SHA256',
      'ECDHE-ECDSA-CAMELLIA128-SHA256',
    ].filter((name) => getCiphers().includes(name.toLowerCase()));
    expect(refused.length).toBeGreaterThan(3);
    for (const ciphers of spoken) {
      const socket = await connectTls({ ciphers, maxVersion: 'TLSv1.2' });
      expect(socket.getCipher().name).toBe(ciphers);
      socket.destroy();
    }
    for (const name of refused) {
      const options = { ciphers: `${name}:@SECLEVEL=0`, maxVersion: 'TLSv1.2' };
      await expect(connectTls(options), name).rejects.toThrow();
    }
    const ccm = { ciphers: 'TLS_AES_128_CCM_SHA256', minVersion: 'TLSv1.3' };
    await expect(connectTls(ccm)).rejects.toThrow();
    await expectUp();
  });

  test('HTTP/1.1 and HTTP/2 transfer bodies both ways, even a megabyte', async () => {
    await startListener();
    const session = await connectHttp2();
    expect(await fetchHttp1('/', { body: 'hello' })).toMatchObject({ status: 200, body: '1.1 POST hello' });
    expect(await fetchHttp2(session, '/', 'hello')).toEqual({ status: 200, body: '2.0 POST hello' });
    expect((await fetchHttp1('/big')).body).toBe(megabyte);
    expect((await fetchHttp2(session, '/big')).body).toBe(megabyte);
    expect((await fetchHttp1('/', { body: megabyte })).body).toBe(`1.1 POST ${megabyte}`);
    expect((await fetchHttp2(session, '/', megabyte)).body).toBe(`2.0 POST ${megabyte}`);
    session.close();
  });

  test('connections are kept and reused', async () => {
    await startListener();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await fetchHttp1('/', { agent })).reused).toBe(false);
    expect((await fetchHttp1('/', { agent })).reused).toBe(true);
    agent.destroy();
  });

  test('a new certificate is used for new connections', async () => {
    await startListener();
    const other = await ensureLocalCertificate({ dir: join(dir, 'other'), hostnames: [], now: new Date() });
    listener.reloadCertificate(other.certPem, other.keyPem);
    const socket = await connectTls({ ca: other.caPem });
    expect(socket.authorized).toBe(true);
    socket.destroy();
    expect(() => listener.reloadCertificate(other.certPem, certificate.keyPem)).toThrow();
    listener.reloadCertificate(certificate.certPem, certificate.keyPem);
    await expectUp();
  });
});

describe('plain HTTP', () => {
  test('is refused with the response of onPlainHttp, which sees the token; the body is never served', async () => {
    await startListener();
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
    expect((await converse(connectTcp(), pipelined)).match(/403 Forbidden/g)).toHaveLength(1);
  });

  test('is served to a trusted proxy', async () => {
    await startListener({ trustPlain: (address) => address === '127.0.0.1' });
    const answer = await converse(connectTcp(), 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('1.1 GET');
  });
});

/** A close that takes this long exceeds the timeout of its test. */
const FOREVER_MS = 86_400_000;

describe('a listener that announces its end', () => {
  test('answers running and new requests, and asks clients to reconnect', async () => {
    await startListener();
    const session = await connectHttp2();
    const goaway = once(session, 'goaway');
    const answers = [fetchHttp1('/slow'), fetchHttp2(session, '/slow')] as const;
    await started;
    await expect.poll(() => served).toBe(2);
    listener.announceEnd();
    expect((await goaway).slice(0, 2)).toEqual([0, 2 ** 31 - 1]);
    expect(await fetchHttp1('/')).toMatchObject({ status: 200, headers: { connection: 'close' } });
    const later = await connectHttp2();
    const told = once(later, 'goaway');
    expect((await fetchHttp2(later, '/')).status).toBe(200);
    await told;
    release();
    const [first, second] = await Promise.all(answers);
    expect(first).toMatchObject({ status: 200, body: 'slow', headers: { connection: 'close' } });
    expect(second).toEqual({ status: 200, body: 'slow' });
    await listener.close(5_000);
  });
});

describe('while a listener closes,', () => {
  test('running requests finish, other connections are closed, and nothing new is accepted', async () => {
    await startListener();
    const agent = new Agent({ keepAlive: true });
    await fetchHttp1('/', { agent });
    const session = await connectHttp2();
    const silent = connectTcp();
    await once(silent, 'connect');
    const answers = [fetchHttp1('/slow', { agent }), fetchHttp2(session, '/slow')] as const;
    await started;
    await expect.poll(() => served).toBe(3);
    const closed = listener.close(FOREVER_MS);
    await expect(fetchHttp1('/')).rejects.toThrow();
    release();
    const [first, second] = await Promise.all(answers);
    expect(first).toMatchObject({ status: 200, body: 'slow', headers: { connection: 'close' } });
    expect(second).toEqual({ status: 200, body: 'slow' });
    await closed;
  });

  test('a request in flight over HTTP/2 is answered, even the first of its connection', async () => {
    await startListener();
    const [fresh, used] = [await connectHttp2(), await connectHttp2()];
    expect((await fetchHttp2(used, '/')).status).toBe(200);
    const sentBefore = [fresh, used].map(({ socket }) => socket.bytesWritten);
    const answers = [fresh, used].map((session) => fetchHttp2(session, '/'));
    while ([fresh, used].some(({ socket }, at) => socket.bytesWritten === sentBefore[at])) {
      await setImmediate();
    }
    const closed = listener.close(FOREVER_MS);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    await closed;
  });

  test('a client that left a response unread does not delay it', async () => {
    await startListener();
    const session = await connectHttp2({ initialWindowSize: 0 });
    const stream = session.request({ ':path': '/' });
    stream.on('error', () => undefined);
    await expect.poll(() => served).toBe(1);
    session.destroy();
    await listener.close(FOREVER_MS);
  });

  test('a request that does not finish in time is cut off', async () => {
    await startListener();
    const answer = fetchHttp1('/slow').then(
      () => 'answered',
      () => 'cut',
    );
    await started;
    await listener.close(100);
    expect(await answer).toBe('cut');
  });
});

test('a response that does not wait for the body reaches the client', async () => {
  await startListener();
  const socket = await connectTls();
  const head = 'POST /early HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3000000\r\n\r\n';
  expect(await converse(socket, head + megabyte)).toContain('early');
});
