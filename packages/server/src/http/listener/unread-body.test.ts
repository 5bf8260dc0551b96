import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  certificate,
  connectHttp2,
  dir,
  listener,
  megabyte,
  patient,
  startListener,
  useListener,
} from '../../../test/http/listener-under-test.ts';
import type { ListenOptions } from './index.ts';

useListener();

const refuse: ListenOptions['handler'] = (_, res) => {
  res.statusCode = 413;
  res.end('too large');
};

async function readOneChunk(req: IncomingMessage | Http2ServerRequest): Promise<void> {
  for await (const _ of req) return;
}

const handlers: [string, ListenOptions['handler']][] = [
  ['not read', refuse],
  ['read in part', (req, res) => void readOneChunk(req).then(() => refuse(req, res))],
  [
    'read and paused',
    (req, res) => {
      req.once('data', () => {
        req.pause();
        refuse(req, res);
      });
    },
  ],
];

/** A hanging connection hangs until the test times out. */
const FOREVER_MS = 86_400_000;

test.each(handlers)('a body that is %s blocks neither its client nor closing', async (_, handler) => {
  await startListener({ handler, limits: patient });
  const session = await connectHttp2();
  const stream = session.request({ ':path': '/', ':method': 'POST' });
  stream.on('error', () => undefined);
  stream.end(megabyte);
  const [headers] = await once(stream, 'response');
  expect(headers[':status']).toBe(413);
  expect(String(await stream.toArray())).toBe('too large');
  session.close();
  if (!session.destroyed) await once(session, 'close');
  await listener.close(FOREVER_MS);
});

/** Its HTTP/2 is not Node.js's implementation. A machine without it still runs the tests above. */
const hasCurl = spawnSync('curl', ['--version']).stdout?.toString().includes('HTTP2') === true;

test.skipIf(!hasCurl).each(handlers)(
  'curl gets the response to a body that is %s, and does not block closing',
  async (_, handler) => {
    const [body, ca] = [join(dir, 'body'), join(dir, 'ca.pem')];
    await writeFile(body, megabyte);
    await writeFile(ca, certificate.caPem);
    for (let i = 0; i < 5; i += 1) {
      await startListener({ handler, limits: patient });
      const to = ['--resolve', `localhost:${listener.port}:127.0.0.1`, `https://localhost:${listener.port}/`];
      const options = ['-sS', '--http2', '--cacert', ca, '-w', ' %{http_code}', '--data-binary', `@${body}`];
      expect((await promisify(execFile)('curl', [...options, ...to])).stdout).toBe('too large 413');
      await listener.close(FOREVER_MS);
    }
  },
);
