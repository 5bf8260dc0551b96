import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '../harness/index.ts';
import { findEnvelopeFault, findHeaderFault } from './check-answer.ts';
import { type ListeningApp, startListeningApp } from './listening-app.ts';
import { parseAnswer, type RawAnswer, RawConnection } from './raw-connection.ts';

/** Short, yet long enough for what a client does without delay, however busy the machine is. */
const LIMITS = { handshakeMs: 3_000, headersMs: 1_500, requestMs: 2_500, idleMs: 3_000, stalledMs: 5_000 };

let subject: ListeningApp;
let proxied: ListeningApp;
let ada: Member;

beforeAll(async () => {
  subject = await startListeningApp({ trustsPlain: false, limits: LIMITS });
  proxied = await startListeningApp({ trustsPlain: true, limits: LIMITS });
  ada = await subject.test.register('Ada');
});
afterAll(() => Promise.all([subject.close(), proxied.close()]));

/** A normal request is served, whatever happened in the previous test. */
beforeEach(expectUp);
afterAll(expectUp);

async function expectUp(): Promise<void> {
  const connection = new RawConnection(openTls);
  const answer = await connection.sendBytes(request(`Authorization: Bearer ${ada.accessToken}`));
  connection.close();
  expect(answer.status).toBe(200);
}

function openTls(): Socket {
  const { listener, certificate } = subject;
  const options = { host: '127.0.0.1', port: listener.port, servername: 'localhost', ca: certificate.caPem };
  return connectTls({ ...options, ALPNProtocols: ['http/1.1'] }).on('error', () => undefined);
}

const startPlainApp = (port = subject.listener.port) => connectTcp(port, '127.0.0.1').on('error', () => undefined);

/** GET /v1/me with these header lines. */
const request = (...lines: string[]) =>
  Buffer.from(['GET /v1/me HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n'), 'latin1');

/** The head of a form post to this path. A header with its length follows. */
const formHead = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n`;

/** Sends the text, waits until the server closes the connection, and checks what it sent before. */
async function converse(socket: Socket, text: string | Buffer): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  await once(socket, 'close');
  return expectEnvelope(parseAnswer(Buffer.concat(chunks), false));
}

function expectEnvelope(answer: RawAnswer | undefined): RawAnswer {
  if (answer === undefined) {
    throw new Error('the connection was closed without an answer');
  }
  expect([findHeaderFault(answer), findEnvelopeFault(answer)]).toEqual([undefined, undefined]);
  return answer;
}

const codeOf = (answer: RawAnswer) => [answer.status, JSON.parse(answer.body).error.code];

describe('slow clients', () => {
  it('that dribble headers are cut off with 408', async () => {
    expect(codeOf(await converse(openTls(), 'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: ye'))).toEqual([
      408,
      'request_timeout',
    ]);
  });

  it('that send an occasional byte of a header are cut off as well', async () => {
    const socket = openTls();
    const dribble = setInterval(() => socket.write('X'), 50);
    const answer = await converse(socket, 'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    clearInterval(dribble);
    expect(codeOf(answer)).toEqual([408, 'request_timeout']);
  });

  it('that dribble a body are cut off with 408, with and without a token', async () => {
    for (const authorization of ['', `Authorization: Bearer ${ada.accessToken}\r\n`]) {
      const socket = openTls();
      const dribble = setInterval(() => socket.write('x'), 50);
      const head = 'POST /v1/licenses/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
      const answer = await converse(socket, `${head}${authorization}Content-Length: 1000\r\n\r\n{`);
      clearInterval(dribble);
      expect(codeOf(answer)).toEqual([408, 'request_timeout']);
    }
  });

  it('that dribble a form to the authorization server are cut off with 408', async () => {
    for (const path of ['/oauth/token', '/oauth/introspect', '/oauth/forgot-password']) {
      const socket = openTls();
      const dribble = setInterval(() => socket.write('x'), 50);
      const answer = await converse(socket, `${formHead(path)}Content-Length: 1000\r\n\r\ngrant_type=`);
      clearInterval(dribble);
      expect(codeOf(answer)).toEqual([408, 'request_timeout']);
    }
  });

  it('in their hundreds hold up no other client', async () => {
    const slow = Array.from({ length: 200 }, () => {
      const socket = startPlainApp();
      socket.write('GET / HTTP/1.1\r\n');
      return once(socket.resume(), 'close');
    });
    await Promise.all(Array.from({ length: 20 }, expectUp));
    await Promise.all(slow);
  });
});

describe('malformed input:', () => {
  const head = 'POST /v1/licenses/acquire HTTP/1.1\r\nHost: localhost\r\n';
  it.each([
    ['garbage', '\x00\x01\x02\x03garbage\r\n\r\n'],
    ['a request without a version', 'GET /v1/me\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['no host', 'GET /v1/me HTTP/1.1\r\n\r\n'],
    ['an unknown method', 'FROBNICATE /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a NUL in the path', 'GET /v1/\x00me HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a NUL in a header', 'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX: a\x00b\r\n\r\n'],
    ['a space before the colon', 'GET /v1/me HTTP/1.1\r\nHost : localhost\r\n\r\n'],
    ['a folded header', 'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n'],
    ['a bare line feed', 'GET /v1/me HTTP/1.1\nHost: localhost\n\n'],
    ['both framings', `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['both framings in reverse order', `${head}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}`],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `],
    ['a negative length', `${head}Content-Length: -1\r\n\r\n`],
    ['a length with a sign', `${head}Content-Length: +2\r\n\r\n{}`],
    ['an endless length', `${head}Content-Length: 99999999999999999999999\r\n\r\n{}`],
    ['a coding that does not end in chunked', `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['an unknown coding', `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['CONNECT', 'CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a misplaced HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s gets 400 and the connection is closed', async (_what, text) => {
    const answer = await converse(openTls(), text);
    expect(codeOf(answer)).toEqual([400, 'invalid_request']);
    expect(JSON.parse(answer.body).error.details).toEqual({ field: '', reason: 'malformed' });
  });

  it.each([
    ['two hosts', 'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n', 400, 'invalid_request'],
    ['a coding in HTTP/1.0', `${head.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n`, 400, 'invalid_request'],
    ['HTTP/2.0', 'GET /v1/me HTTP/2.0\r\nHost: localhost\r\n\r\n', 505, 'http_version_not_supported'],
    ['HTTP/1.2', 'GET /v1/me HTTP/1.2\r\nHost: localhost\r\n\r\n', 505, 'http_version_not_supported'],
    ['HTTP/3.0', 'GET /v1/me HTTP/3.0\r\nHost: localhost\r\n\r\n', 505, 'http_version_not_supported'],
    ['an expectation', `${head}Expect: something\r\nContent-Length: 2\r\n\r\n{}`, 417, 'expectation_failed'],
    [
      'a body over the limit that waits for 100',
      `${head.replace('licenses/acquire', 'auth/login')}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n`,
      413,
      'payload_too_large',
    ],
  ])('%s is refused with the envelope, without a 100 first', async (_what, text, status, code) => {
    expect(codeOf(await converse(openTls(), text))).toEqual([status, code]);
  });

  it('an oversize form that waits for 100 is refused without it', async () => {
    const form = `${formHead('/oauth/token')}Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n`;
    const chunks: Buffer[] = [];
    const socket = openTls().on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write(form);
    await once(socket, 'close');
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('a chunk without a size is answered, and nothing after it is read as a request', async () => {
    const body = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\nGET /v1/me HTTP/1.1\r\n`;
    expect(codeOf(await converse(openTls(), body))[0]).toBe(400);
  });

  it('headers that are too large or too many get 431', async () => {
    const many = Array.from({ length: 150 }, (_, n) => `X-${n}: y`);
    for (const lines of [[`X: ${'y'.repeat(20_000)}`], many, [`Authorization: Bearer ${'y'.repeat(17_000)}`]]) {
      expect(codeOf(await converse(openTls(), request(...lines)))).toEqual([431, 'headers_too_large']);
    }
    const long = Buffer.from(`GET /v1/licenses/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(codeOf(await converse(openTls(), long))).toEqual([431, 'headers_too_large']);
  });

  it('broken handshakes and clients that vanish leave no trace', async () => {
    for (const bytes of [Buffer.from([0x16, 3, 1, 0, 4, 9, 9, 9, 9]), Buffer.from([0x16]), Buffer.alloc(0)]) {
      const socket = startPlainApp();
      socket.write(bytes);
      await once(socket.resume(), 'close');
    }
    for (let n = 0; n < 20; n += 1) {
      const socket = openTls();
      await once(socket, 'secureConnect');
      socket.write(`${head}Authorization: Bearer ${ada.accessToken}\r\nContent-Length: 100\r\n\r\n{`);
      socket.destroy();
    }
    expect(subject.test.logLines.filter((line) => JSON.parse(line).level === 'error')).toEqual([]);
  });
});

describe('HTTP/2', () => {
  it('cuts off slow bodies and resets streams with large headers, and the session continues', async () => {
    const session = connectHttp2(`https://localhost:${subject.listener.port}`, {
      ca: subject.certificate.caPem,
      host: '127.0.0.1',
    });
    const fetch = async (headers: Record<string, string>, body?: string) => {
      const stream = session.request(headers, { endStream: body === undefined });
      stream.on('error', () => undefined);
      if (body !== undefined) {
        stream.write(body);
      }
      const [answered] = await once(stream, 'response');
      const lines = Object.entries(answered).map(([name, value]) => [name, String(value)] as const);
      const text = (await stream.toArray()).join('');
      return { status: Number(answered[':status']), headers: new Map(lines), body: text };
    };
    const slow = expectEnvelope(
      await fetch({ ':path': '/v1/auth/login', ':method': 'POST', 'content-type': 'application/json' }, '{'),
    );
    expect(codeOf(slow)).toEqual([408, 'request_timeout']);
    // Once the client knows the limit, Node.js itself resets a stream that exceeds it.
    const large = fetch({ ':path': '/v1/me', x: 'y'.repeat(17_000) });
    await expect(large).rejects.toThrow('NGHTTP2_ENHANCE_YOUR_CALM');
    const good = await fetch({ ':path': '/v1/me', authorization: `Bearer ${ada.accessToken}` });
    expect([good.status, findHeaderFault(good)]).toEqual([200, undefined]);
    session.destroy();
  });
});

describe('plain HTTP', () => {
  const me = (token: string) => request(`Authorization: Bearer ${token}`);

  it('is refused with 403 and not processed', async () => {
    const body = JSON.stringify({ email: ada.email, password: ada.password });
    const login = `POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (const text of [login, request(), 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n']) {
      expect(codeOf(await converse(startPlainApp(), text))).toEqual([403, 'https_required']);
    }
  });

  it('revokes the token that it carried', async () => {
    const { email, password } = ada;
    const logIn = async () =>
      (await subject.test.api.post('/v1/auth/login', undefined, { email, password })).body.data.access_token;
    const created = await subject.test.api.post('/v1/api-tokens', ada.accessToken, {
      name: 'a',
      scopes: ['read:profile'],
    });
    for (const token of [await logIn(), created.body.data.token]) {
      const connection = new RawConnection(openTls);
      expect((await connection.sendBytes(me(token))).status).toBe(200);
      const leaked = await converse(startPlainApp(), me(token));
      expect(codeOf(leaked)).toEqual([403, 'https_required']);
      expect(leaked.body).not.toContain(token);
      expect(codeOf(await connection.sendBytes(me(token)))).toEqual([401, 'invalid_token']);
      connection.close();
    }
  });

  it('is allowed from a trusted proxy, unless the client spoke plain HTTP to the proxy', async () => {
    const eve = await proxied.test.register('Eve');
    const connection = new RawConnection(() => startPlainApp(proxied.listener.port));
    const authorization = `Authorization: Bearer ${eve.accessToken}`;
    for (const proto of ['https', 'HTTPS', 'https, http']) {
      const answer = await connection.sendBytes(request(authorization, `X-Forwarded-Proto: ${proto}`));
      expect([answer.status, findHeaderFault(answer)]).toEqual([200, undefined]);
    }
    for (const proto of ['http', 'HTTP', ' http ', 'http, https']) {
      const refused = await connection.sendBytes(request(`X-Forwarded-Proto: ${proto}`));
      expect(codeOf(expectEnvelope(refused))).toEqual([403, 'https_required']);
    }
    const leaked = await connection.sendBytes(request(authorization, 'X-Forwarded-Proto: http'));
    expect(codeOf(expectEnvelope(leaked))).toEqual([403, 'https_required']);
    const after = await connection.sendBytes(request(authorization, 'X-Forwarded-Proto: https'));
    expect(codeOf(expectEnvelope(after))).toEqual([401, 'invalid_token']);
    connection.close();
  });

  it('is not allowed from a client that merely claims to have used HTTPS', async () => {
    const said = await converse(startPlainApp(), request('X-Forwarded-Proto: https', 'X-Forwarded-For: 127.0.0.1'));
    expect(codeOf(said)).toEqual([403, 'https_required']);
  });
});
