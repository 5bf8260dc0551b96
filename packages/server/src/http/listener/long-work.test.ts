import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  connectHttp2,
  connectTls,
  converse,
  expectUp,
  fetchHttp1,
  fetchHttp2,
  megabyte,
  readAll,
  startListener,
  useListener,
} from '../../../test/http/listener-under-test.ts';
import type { ListenOptions } from './index.ts';

useListener();

const STALLED_MS = 1_500;
/** Several times longer than a connection may be silent. */
const WORK_MS = 4_000;
const limits = { stalledMs: STALLED_MS };

/** Reads the request, works for a long time and answers. Calls `closed` when the response is over, however it ended. */
function work(answer: string, closed: (response: ServerResponse) => void = () => undefined): ListenOptions['handler'] {
  return (req, res) => {
    res.on('close', () => closed(res as ServerResponse));
    void readAll(req)
      .then(() => sleep(req.url === '/' ? 0 : WORK_MS))
      .then(() => res.end(req.url === '/' ? '1.1 GET ' : answer));
  };
}

test('a complete request is answered, however long its handler takes', async () => {
  await startListener({ limits, handler: work('done') });
  const session = await connectHttp2();
  const pipelined = 'GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const [read, sent, readTwo, sentTwo, both] = await Promise.all([
    fetchHttp1('/long'),
    fetchHttp1('/long', { body: 'x' }),
    fetchHttp2(session, '/long'),
    fetchHttp2(session, '/long', 'x'),
    converse(await connectTls(), pipelined),
  ]);
  expect([read, sent, readTwo, sentTwo].map(({ status, body }) => [status, body])).toEqual(
    Array.from({ length: 4 }, () => [200, 'done']),
  );
  expect(both.match(/200 OK/g)).toHaveLength(2);
  session.destroy();
});

test('an incomplete request is cut off, even if it waits for something else', async () => {
  await startListener({ limits, handler: work('done') });
  expect(await converse(await connectTls(), 'POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n1')).toBe('');
  const session = await connectHttp2();
  const stream = session.request({ ':path': '/long', ':method': 'POST' });
  stream.on('error', () => undefined);
  stream.write('1');
  await once(stream, 'close');
  expect(stream.rstCode).not.toBe(0);
  session.destroy();
  await expectUp();
});

test('a response that the client does not read is cut off, even after long work', async () => {
  const over: boolean[] = [];
  await startListener({ limits, handler: work(megabyte.repeat(30), (res) => over.push(res.writableFinished)) });
  const socket = await connectTls();
  socket.pause();
  socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
  const session = await connectHttp2({ initialWindowSize: 0 });
  const stream = session.request({ ':path': '/long' });
  stream.on('error', () => undefined);
  await once(stream, 'close');
  expect(stream.rstCode).not.toBe(0);
  await expect.poll(() => over).toEqual([false, false]);
  socket.destroy();
  session.destroy();
  await expectUp();
});
