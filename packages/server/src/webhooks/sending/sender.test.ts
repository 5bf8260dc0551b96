import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { OK, post, startSendingWorld, until } from '../../../test/harness/sending-world.ts';
import { answerWith, onRequest } from '../../../test/harness/tls-receiver.ts';

const { sender, receiver, timeOut } = startSendingWorld();

const NEVER = new Promise<string[]>(() => undefined);

describe('an attempt', () => {
  it('posts the given body and headers, and nothing else', async () => {
    const texts: string[] = [];
    const { url, port, counts } = await receiver((socket) =>
      onRequest(socket, (text) => {
        texts.push(Buffer.from(text, 'latin1').toString());
        socket.write(OK);
      }),
    );
    const result = await sender().send(post(url));
    expect(result).toEqual({
      statusCode: 200,
      error: null,
      durationMs: expect.any(Number),
      address: '127.0.0.1',
      responseExcerpt: 'hello',
    });
    expect(Number.isInteger(result.durationMs)).toBe(true);
    expect(texts).toEqual([
      `POST /hook?a=b HTTP/1.1\r\nhost: receiver.test:${port}\r\nconnection: keep-alive\r\ncontent-type: application/json\r\nx-a: b\r\ncontent-length: 10\r\n\r\n{"a":"ä"}`,
    ]);
    expect(counts.names).toEqual(['receiver.test']);
  });

  it.each([
    [200, null],
    [204, null],
    [299, null],
    [300, 'redirect'],
    [304, 'redirect'],
    [399, 'redirect'],
    [400, 'http_status'],
    [410, 'http_status'],
    [429, 'http_status'],
    [500, 'http_status'],
    [599, 'http_status'],
  ])('answered with %i has the outcome %s', async (status, error) => {
    const { url } = await receiver(answerWith(`HTTP/1.1 ${status} So\r\ncontent-length: 0\r\n\r\n`));
    expect(await sender().send(post(url))).toMatchObject({ statusCode: status, error, address: '127.0.0.1' });
  });

  it('does not follow a redirect, especially to an internal literal', async () => {
    const target = await receiver(answerWith(OK));
    const { url } = await receiver(
      answerWith(`HTTP/1.1 307 There\r\nlocation: https://127.0.0.1:${target.port}/\r\ncontent-length: 0\r\n\r\n`),
    );
    expect(await sender().send(post(url))).toMatchObject({ statusCode: 307, error: 'redirect', responseExcerpt: '' });
    expect(target.counts.opened).toBe(0);
  });

  it('keeps no cookie and decompresses nothing', async () => {
    const texts: string[] = [];
    const { url } = await receiver((socket) =>
      onRequest(socket, (text) => {
        texts.push(text);
        socket.write(
          'HTTP/1.1 200 OK\r\nset-cookie: a=b\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\n\x1f\x8bab',
        );
      }),
    );
    const { send } = sender();
    await send(post(url));
    expect(await send(post(url))).toMatchObject({ error: null, responseExcerpt: '\x1f\u008bab' });
    expect(texts.join()).not.toMatch(/cookie|accept-encoding/i);
  });

  it('reaches a literal address, and checks its certificate', async () => {
    const { port } = await receiver(answerWith(OK));
    expect(await sender().send(post(`https://127.0.0.1:${port}/`))).toMatchObject({ error: null });
    expect(await sender().send(post(`https://127.0.0.2:${port}/`))).toMatchObject({ error: 'connection_refused' });
    const other = await receiver(answerWith(OK), { host: '127.0.0.3' });
    expect(await sender().send(post(`https://127.0.0.3:${other.port}/`))).toMatchObject({ error: 'tls_error' });
  });

  it('reaches a name that ends with a dot', async () => {
    const { url, counts } = await receiver(answerWith(OK));
    expect(await sender().send(post(url.replace('receiver.test', 'receiver.test.')))).toMatchObject({ error: null });
    expect(counts.names).toEqual(['receiver.test']);
  });

  it('that is canceled rejects with the reason, before, while and after connecting', async () => {
    const reached: string[] = [];
    const silent = await receiver((socket) => socket.once('data', () => reached.push('silent')).resume());
    const { send } = sender({
      resolve: async (name) => {
        if (name === 'slow.test') {
          reached.push('slow');
          return NEVER;
        }
        return ['127.0.0.1'];
      },
    });
    const reason = new Error('the process ends');
    await expect(send(post(silent.url), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(silent.counts.opened).toBe(0);
    for (const [place, url] of [
      ['slow', 'https://slow.test/'],
      ['silent', silent.url],
    ] as const) {
      const cutOff = new AbortController();
      const attempt = send(post(url), cutOff.signal);
      await until(() => reached.includes(place));
      cutOff.abort(reason);
      await expect(attempt).rejects.toBe(reason);
    }
    await expect.poll(() => silent.counts.open).toBe(0);
  });

  it('with a header that HTTP does not allow fails and sends nothing', async () => {
    const { url } = await receiver(answerWith(OK));
    const result = await sender().send({ url, headers: { 'x-a': 'b\r\nx-c: d' }, body: '' });
    expect(result).toMatchObject({ statusCode: null, error: 'invalid_response' });
  });
});

describe('an attempt canceled after the head of the response', () => {
  it('is recorded with the received status', async () => {
    const { promise: answered, resolve: hasAnswered } = Promise.withResolvers<void>();
    const { url } = await receiver((socket) =>
      onRequest(socket, () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhello', () => hasAnswered()),
      ),
    );
    const cutOff = new AbortController();
    const attempt = sender().send(post(url), cutOff.signal);
    await answered;
    // Data written on the loopback is read within a few turns of this process's event loop.
    for (let turn = 0; turn < 50; turn += 1) {
      await nextTurn();
    }
    cutOff.abort(new Error('the process ends'));
    expect(await attempt).toMatchObject({ statusCode: 200, responseExcerpt: 'hello' });
  });
});

describe('addresses', () => {
  it('are resolved once per connection, and the checked ones are dialed', async () => {
    const here = await receiver(answerWith(`${OK.replace('200 OK', '200 OK\r\nconnection: close')}`));
    const answers = [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['127.0.0.1'], ['127.0.0.9']];
    let asked = 0;
    const { send } = sender({
      resolve: async () => {
        asked += 1;
        return answers.shift() ?? [];
      },
    });
    const results = [];
    for (let at = 0; at < 4; at += 1) {
      results.push(await send(post(here.url)));
    }
    expect(results.map(({ error, address }) => [error, address])).toEqual([
      [null, '127.0.0.1'],
      ['forbidden_address', null],
      [null, '127.0.0.1'],
      ['forbidden_address', null],
    ]);
    expect([asked, here.counts.opened]).toEqual([4, 2]);
  });

  it('are tried one after another, and the one that answered is recorded', async () => {
    const here = await receiver(answerWith(OK), { host: '127.0.0.1' });
    const { send } = sender({ resolve: async () => ['127.0.0.5', '127.0.0.6', '127.0.0.1'] });
    expect(await send(post(here.url))).toMatchObject({ error: null, address: '127.0.0.1' });
  });

  it('that all refuse are recorded as connection_refused; a single one is named', async () => {
    const { url } = await receiver((socket) => socket.resume());
    const two = sender({ resolve: async () => ['127.0.0.5', '127.0.0.6'] });
    expect(await two.send(post(url))).toMatchObject({ error: 'connection_refused', address: null });
    const one = sender({ resolve: async () => ['127.0.0.5'] });
    expect(await one.send(post(url))).toMatchObject({ error: 'connection_refused', address: '127.0.0.5' });
  });

  it('that take too long to find cause connect_timeout within the time', async () => {
    const { promise: asked, resolve: hasAsked } = Promise.withResolvers<void>();
    const { send } = sender({
      resolve: () => {
        hasAsked();
        return NEVER;
      },
    });
    const attempt = send(post('https://slow.test/'));
    await asked;
    expect(await timeOut(attempt)).toMatchObject({ error: 'connect_timeout', address: null });
  });
});
