import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { StreamedAnswer } from './streamed-answer.ts';
import { writeParts } from './write-body.ts';

const PART = 'x'.repeat(64 * 1024);
/** Far more than the buffers of two sockets on one machine can hold. */
const PARTS = 4_000;

let server: Server;
afterEach(() => server.close());

/** Serves these parts to one client. `ended` is the outcome of writing them. */
async function serve(makeParts: () => AsyncIterable<string>) {
  const ended = Promise.withResolvers<unknown>();
  server = createServer((_, response) => {
    writeParts(response, makeParts()).then(() => ended.resolve('written'), ended.resolve);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1' }, resolve).on('error', reject);
  });
  return { answer, ended: ended.promise };
}

function countingParts(count: number) {
  const seen = { made: 0, isOver: false };
  async function* parts() {
    try {
      for (; seen.made < count; seen.made += 1) {
        yield PART;
      }
    } finally {
      seen.isOver = true;
    }
  }
  return { seen, parts };
}

async function readAll(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const piece of answer) {
    bytes += piece.length;
  }
  return bytes;
}

describe('a streamed response', () => {
  it('arrives completely', async () => {
    const { parts } = countingParts(20);
    const { answer, ended } = await serve(parts);
    expect(await readAll(answer)).toBe(20 * PART.length);
    expect(await ended).toBe('written');
  });

  it('is generated only as fast as its client reads it, and ends when the client disconnects', async () => {
    const { seen, parts } = countingParts(PARTS);
    const { answer, ended } = await serve(parts);
    answer.pause();
    await expect.poll(() => seen.made).toBeGreaterThan(1);
    answer.destroy();
    expect(await ended).toBe('written');
    expect(seen.isOver).toBe(true);
    expect(seen.made).toBeLessThan(PARTS);
  });

  it('is cut off where it fails, so that a partial response never looks complete', async () => {
    const { answer, ended } = await serve(async function* () {
      yield PART;
      throw new Error('the database is gone');
    });
    await expect(readAll(answer)).rejects.toThrow('aborted');
    expect(await ended).toMatchObject({ message: 'the database is gone' });
  });

  it('throws the error of its first part before anything is sent', async () => {
    server = createServer();
    const answer = new StreamedAnswer(
      'text/csv',
      {},
      (async function* (): AsyncGenerator<string> {
        throw new Error('no table');
        // biome-ignore lint/correctness/noUnreachable: a generator has to yield.
        yield '';
      })(),
    );
    await expect(answer.begin()).rejects.toThrow('no table');
  });
});
