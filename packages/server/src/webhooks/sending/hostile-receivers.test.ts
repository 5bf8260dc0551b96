import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { startSendingWorld } from '../../../test/harness/sending-world.ts';
import { answerWith } from '../../../test/harness/tls-receiver.ts';
import type { AttemptResult } from './sender.ts';

const { attempt, attemptThatTimesOut, receiver, sender } = startSendingWorld();

/** Writes for as long as the socket accepts it. */
function flood(socket: TLSSocket, head: string, portion: string): void {
  socket.write(head);
  const more = () => {
    while (!socket.destroyed && socket.write(portion)) {}
  };
  socket.on('drain', more);
  more();
}

/** Writes one byte after another, endlessly, and reports the first few. */
function drip(socket: TLSSocket, text: string, hasBegun: () => void): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text.charAt(at % text.length));
    at += 1;
    if (at === 6) {
      hasBegun();
    }
  }, 20);
  socket.on('close', () => clearInterval(timer));
}

const when = (socket: TLSSocket, act: () => void) => socket.once('data', act);

describe('a receiver that', () => {
  it.each<[string, (socket: TLSSocket) => void, Partial<AttemptResult>]>([
    ['hangs up immediately', (s) => s.destroy(), { error: 'connection_reset' }],
    ['hangs up after the request', (s) => when(s, () => s.destroy()), { error: 'connection_reset' }],
    ['hangs up politely after the request', (s) => when(s, () => s.end()), { error: 'connection_reset' }],
    ['hangs up within the head', (s) => when(s, () => s.end('HTTP/1.1 200 OK\r\nx: ')), { error: 'connection_reset' }],
    ['responds with garbage', (s) => s.resume().write('SSH-2.0-OpenSSH_9.7\r\n'), { error: 'invalid_response' }],
    [
      'responds with garbage to the request',
      (s) => when(s, () => s.write('%$&/\r\n\r\n')),
      { error: 'invalid_response' },
    ],
    ['responds in HTTP/0.9', (s) => when(s, () => s.end('<html>hello</html>')), { error: 'invalid_response' }],
    [
      'responds in HTTP/2',
      (s) => s.resume().write(Buffer.from('00000c04000000000000030000006400040000ffff', 'hex')),
      { error: 'invalid_response' },
    ],
    [
      'switches protocols',
      answerWith('HTTP/1.1 101 So\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      { error: 'invalid_response' },
    ],
    ['sends 100 Continue', answerWith('HTTP/1.1 100 Continue\r\n\r\n'), { error: 'invalid_response' }],
    [
      'sends two lengths',
      answerWith('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na'),
      { error: 'invalid_response' },
    ],
    ['sends a header with a bare CR', answerWith('HTTP/1.1 200 OK\r\nx: a\rb\r\n\r\n'), { error: 'invalid_response' }],
    [
      'sends 10,000 headers',
      answerWith(`HTTP/1.1 200 OK\r\n${Array.from({ length: 10_000 }, (_, at) => `h${at}: v\r\n`).join('')}\r\n`),
      { error: 'invalid_response' },
    ],
    [
      'sends endless headers',
      (s) => flood(s, 'HTTP/1.1 200 OK\r\n', 'a:\r\n'.repeat(1_000)),
      { error: 'invalid_response' },
    ],
    [
      'sends one endless header',
      (s) => flood(s, 'HTTP/1.1 200 OK\r\na: ', 'b'.repeat(4_000)),
      { error: 'invalid_response' },
    ],
    ['sends endless line breaks', (s) => flood(s, '\r\n', '\r\n'.repeat(1_000)), { error: 'invalid_response' }],
    [
      'sends an endless status line',
      (s) => flood(s, 'HTTP/1.1 200 ', 'OK'.repeat(1_000)),
      { error: 'invalid_response' },
    ],
    [
      'sends endless interim responses',
      (s) => flood(s, '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(10)),
      { error: 'invalid_response' },
    ],
  ])('%s', async (_name, behave, expected) => {
    expect(await attempt(behave)).toMatchObject({
      statusCode: null,
      address: '127.0.0.1',
      responseExcerpt: null,
      ...expected,
    });
  });

  it.each<[string, (socket: TLSSocket, stuck: () => void) => void]>([
    ['sends nothing', (s, stuck) => when(s, stuck)],
    ['responds one byte at a time', (s, stuck) => when(s, () => drip(s, 'HTTP/1.1 200 OK\r\n', stuck))],
  ])('%s', async (_name, behave) => {
    expect(await attemptThatTimesOut(behave)).toMatchObject({
      statusCode: null,
      error: 'timeout',
      address: '127.0.0.1',
      responseExcerpt: null,
    });
  });
});

describe('the status counts once the head has arrived, if the receiver', () => {
  it.each<[string, (socket: TLSSocket) => void, Partial<AttemptResult>]>([
    [
      'sends an endless body',
      (s) => flood(s, 'HTTP/1.1 200 OK\r\n\r\n', 'a'.repeat(10_000)),
      { statusCode: 200, error: null, responseExcerpt: 'a'.repeat(4_096) },
    ],
    [
      'sends an endless failure',
      (s) => flood(s, 'HTTP/1.1 500 No\r\n\r\n', 'a'.repeat(10_000)),
      { statusCode: 500, error: 'http_status', responseExcerpt: 'a'.repeat(4_096) },
    ],
    [
      'sends chunks with nothing but extensions',
      (s) => flood(s, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'a'.repeat(10_000)),
      { statusCode: 200, error: null, responseExcerpt: '' },
    ],
    [
      'hangs up within the body',
      (s) => when(s, () => s.end('HTTP/1.1 201 OK\r\ncontent-length: 1000\r\n\r\nhello')),
      { statusCode: 201, error: null, responseExcerpt: 'hello' },
    ],
    [
      'breaks its chunks',
      (s) => when(s, () => s.end('HTTP/1.1 503 No\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nzz')),
      { statusCode: 503, error: 'http_status', responseExcerpt: 'hello' },
    ],
    [
      'sends endless trailers',
      (s) => flood(s, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n', 'a: b\r\n'.repeat(1_000)),
      { statusCode: 200, error: null, responseExcerpt: '' },
    ],
    [
      'sends a second, unsolicited response',
      answerWith('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'),
      { statusCode: 200, error: null, responseExcerpt: 'a' },
    ],
  ])('%s', async (_name, behave, expected) => {
    expect(await attempt(behave)).toMatchObject({ address: '127.0.0.1', ...expected });
  });

  it('sends a body one byte at a time', async () => {
    const result = await attemptThatTimesOut((socket, stuck) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      when(socket, () => drip(socket, 'abc', stuck));
    });
    expect(result).toMatchObject({ statusCode: 200, error: null, address: '127.0.0.1' });
    expect(result.responseExcerpt).toMatch(/^abc/);
  });

  it('responds before it has read all of a long request', async () => {
    const { url } = await receiver((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too long\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
    const { send } = sender();
    expect(await send({ url, headers: {}, body: 'a'.repeat(4_000_000) })).toMatchObject({
      statusCode: 413,
      error: 'http_status',
    });
  });
});

describe('the excerpt of a response', () => {
  const body = (bytes: Buffer | string) => {
    const content = Buffer.from(bytes);
    return answerWith(
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${content.length}\r\n\r\n`), content]),
    );
  };

  it.each<[string, Buffer | string, string]>([
    ['keeps text', 'ähnlich wie 🎉', 'ähnlich wie 🎉'],
    ['is empty for an empty body', '', ''],
    ['is cut between characters of the input', `a${'ä'.repeat(3_000)}`, `a${'ä'.repeat(2_047)}`],
    ['is cut between characters beyond 16 bits', `abc${'🎉'.repeat(2_000)}`, `abc${'🎉'.repeat(1_023)}`],
    ['contains no NUL', 'a\0b', 'a\u{fffd}b'],
    ['replaces invalid UTF-8', Buffer.from([0x61, 0xff, 0x62, 0xc3]), 'a\u{fffd}b'],
    ['replaces surrogates written as UTF-8', Buffer.from('61eda080', 'hex'), 'a\u{fffd}\u{fffd}\u{fffd}'],
    ['does not grow by replacement', Buffer.alloc(5_000, 0xff), '\u{fffd}'.repeat(1_365)],
  ])('%s', async (_name, bytes, expected) => {
    const { responseExcerpt } = await attempt(body(bytes));
    expect(responseExcerpt).toBe(expected);
    expect(Buffer.byteLength(responseExcerpt ?? '')).toBeLessThanOrEqual(4_096);
    expect(responseExcerpt?.isWellFormed()).toBe(true);
  });
});
