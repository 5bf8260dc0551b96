import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { connectHttp2, connectTls, startListener, useListener } from '../../../test/http/listener-under-test.ts';
import { writeBody } from '../write-body.ts';
import { allowSlowReading } from './slow-readers.ts';

useListener();

const impatient = { minReadBytesPerSecond: 1_024, readWindowMs: 200, stalledMs: 600_000, idleMs: 600_000 };

/** More than the kernel buffers on both sides of a loopback connection. */
const huge = Buffer.alloc(48_000_000, 'x');

test('a client that does not read is cut off over HTTP/1.1 in the middle of a response', async () => {
  const cut = Promise.withResolvers<void>();
  await startListener({
    limits: impatient,
    handler: (_request, response) => {
      response.once('close', () => cut.resolve());
      writeBody(Object(response), huge);
    },
  });
  const socket = await connectTls();
  let read = 0;
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await cut.promise;
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  await once(socket, 'close');
  expect(read).toBeLessThan(huge.length);
});

test('a client that does not read loses its HTTP/2 stream, and the session continues', async () => {
  await startListener({
    limits: impatient,
    handler: (request, response) => {
      if (request.url === '/huge') writeBody(Object(response), huge);
      else response.end('small');
    },
  });
  const session = await connectHttp2();
  const stream = session.request({ ':path': '/huge' });
  stream.on('error', () => undefined);
  stream.pause();
  await once(stream, 'close');
  const other = session.request({ ':path': '/' });
  expect(String(await other.toArray())).toBe('small');
  session.destroy();
});

test('a client that opens its HTTP/2 windows but reads nothing loses the connection', async () => {
  const closed = Promise.withResolvers<void>();
  await startListener({
    limits: impatient,
    handler: (_request, response) => {
      response.once('close', () => closed.resolve());
      writeBody(Object(response), huge);
    },
  });
  const socket = await connectTls({ ALPNProtocols: ['h2'] });
  const frame = (type: number, flags: number, stream: number, payload: readonly number[]) =>
    Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, stream, ...payload]);
  const settings = frame(4, 0, 0, [0, 4, 0x7f, 0xff, 0xff, 0xff]);
  const widerWindow = frame(8, 0, 0, [0x7f, 0, 0, 0]);
  // GET, https and / by their indexes in the static table, and an authority.
  const headers = frame(1, 5, 1, [0x82, 0x87, 0x84, 0x41, 1, 0x78]);
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(Buffer.concat([preface, settings, widerWindow, headers]));
  await closed.promise;
  await once(socket.resume(), 'close');
});

test('a response that may be read slowly outlives one that may not', async () => {
  const closed: string[] = [];
  const judged = Promise.withResolvers<void>();
  await startListener({
    limits: impatient,
    handler: (request, response) => {
      const { url = '' } = request;
      response.once('close', () => {
        closed.push(url);
        if (url === '/judged') judged.resolve();
      });
      if (url === '/exempt' && response instanceof ServerResponse) allowSlowReading(response);
      writeBody(Object(response), huge);
    },
  });
  const exempt = await connectTls();
  exempt.write('GET /exempt HTTP/1.1\r\nHost: x\r\n\r\n');
  const other = await connectTls();
  other.write('GET /judged HTTP/1.1\r\nHost: x\r\n\r\n');
  await judged.promise;
  expect(closed).toEqual(['/judged']);
  exempt.destroy();
  other.destroy();
});

test('a client that reads gets a large response completely over either protocol', async () => {
  await startListener({ handler: (_request, response) => writeBody(Object(response), huge.subarray(0, 5_000_000)) });
  const socket = await connectTls();
  socket.write('GET / HTTP/1.0\r\nHost: x\r\nConnection: close\r\n\r\n');
  const session = await connectHttp2();
  const [plain, stream] = [await socket.toArray(), await session.request({ ':path': '/' }).toArray()];
  const bodyOf = (bytes: Buffer) => bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
  expect(bodyOf(Buffer.concat(plain)).length).toBe(5_000_000);
  expect(Buffer.concat(stream).length).toBe(5_000_000);
  session.destroy();
});
