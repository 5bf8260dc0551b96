import { once } from 'node:events';
import { expect, test } from 'vitest';
import {
  connectHttp2,
  connectTls,
  converse,
  readAll,
  startListener,
  useListener,
} from '../../../test/http/listener-under-test.ts';

useListener();

const head = (length: number) =>
  `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;

test('100 is sent once the body is read, and the body arrives', async () => {
  await startListener();
  const socket = await connectTls();
  socket.write(head(5));
  const [first] = await once(socket, 'data');
  expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  expect(await converse(socket, 'hello')).toContain('1.1 POST hello');
});

test('a request refused before its body is read gets no 100', async () => {
  await startListener({
    handler: (_request, response) => {
      response.statusCode = 413;
      response.end('too large');
    },
  });
  const answer = await converse(await connectTls(), head(99_999_999));
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).not.toContain('100 Continue');
});

test('an Expect header works the same over HTTP/2', async () => {
  await startListener({
    handler: async (request, response) => {
      if (request.url === '/refused') {
        response.statusCode = 413;
        response.end('too large');
      } else {
        response.end(await readAll(request));
      }
    },
  });
  const session = await connectHttp2();
  const ask = async (path: string) => {
    const stream = session.request({ ':path': path, ':method': 'POST', expect: '100-continue' });
    let isContinued = false;
    stream.once('continue', () => {
      isContinued = true;
      stream.end('hello');
    });
    stream.on('error', () => undefined);
    const [headers] = await once(stream, 'response');
    return [headers[':status'], isContinued, String(await stream.toArray())];
  };
  expect(await ask('/')).toEqual([200, true, 'hello']);
  expect(await ask('/refused')).toEqual([413, false, 'too large']);
  session.destroy();
});
