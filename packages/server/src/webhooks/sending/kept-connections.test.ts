import { setTimeout as wait } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { OK, openSendingWorld, post } from '../../../test/harness/sending-world.ts';
import { answerWith, onRequest } from '../../../test/harness/tls-receiver.ts';

const { sender, receiver } = openSendingWorld();

describe('a kept connection', () => {
  it('carries the next attempt, and its address is still known', async () => {
    const { url, counts } = await receiver(answerWith(OK));
    const { send } = sender();
    for (let at = 0; at < 5; at += 1) {
      expect(await send(post(url))).toMatchObject({ error: null, address: '127.0.0.1' });
    }
    expect(counts.opened).toBe(1);
  });

  it('that the receiver closes upon a request gives no second try: an attempt is one request', async () => {
    let requests = 0;
    const { url, counts } = await receiver((socket) =>
      onRequest(socket, () => {
        requests += 1;
        if (requests === 1) {
          socket.write(OK);
        } else {
          socket.destroy();
        }
      }),
    );
    const { send } = sender();
    await send(post(url));
    expect(await send(post(url))).toMatchObject({ statusCode: null, error: 'connection_reset' });
    expect([requests, counts.opened]).toEqual([2, 1]);
  });

  it('gives no second try once a byte of an answer came', async () => {
    let requests = 0;
    const { url } = await receiver((socket) =>
      onRequest(socket, () => {
        requests += 1;
        if (requests === 1) {
          socket.write(OK);
        } else {
          socket.end('H');
        }
      }),
    );
    const { send } = sender();
    await send(post(url));
    expect(await send(post(url))).toMatchObject({ statusCode: null, error: 'connection_reset' });
    expect(requests).toBe(2);
  });

  it('that was closed while nobody used it is not used, and a fresh one is dialled', async () => {
    const sockets: TLSSocket[] = [];
    const { url, counts } = await receiver((socket) => {
      sockets.push(socket);
      answerWith(OK)(socket);
    });
    const { send } = sender();
    await send(post(url));
    sockets[0]?.destroy();
    await expect.poll(() => counts.open).toBe(0);
    expect(await send(post(url))).toMatchObject({ error: null });
    expect(counts.opened).toBe(2);
  });

  it('is closed when the sender is, which waits for what runs', async () => {
    const { url, counts } = await receiver((socket) =>
      onRequest(socket, () => setTimeout(() => socket.write(OK), 100)),
    );
    const { send, close } = sender();
    await send(post(url));
    const running = send(post(url));
    await close();
    expect(await Promise.race([running, wait(0, 'still running')])).toMatchObject({ error: null });
    await expect.poll(() => counts.open).toBe(0);
  });
});

describe('attempts to one origin', () => {
  it('share two hundred connections at most', async () => {
    const { url, counts } = await receiver((socket) => onRequest(socket, () => setTimeout(() => socket.write(OK), 50)));
    const { send } = sender({ timeoutMs: 10_000 });
    const results = await Promise.all(Array.from({ length: 250 }, () => send(post(url))));
    expect(results.every(({ error }) => error === null)).toBe(true);
    expect(counts.opened).toBe(200);
  });

  it('wait for a connection within their time only', async () => {
    const { url } = await receiver((socket) => socket.resume());
    const { send } = sender({ timeoutMs: 1_500 });
    const results = await Promise.all(Array.from({ length: 201 }, () => send(post(url))));
    const kinds = results.map(({ error }) => error).sort();
    expect([kinds[0], kinds[1], kinds.at(-1)]).toEqual(['connect_timeout', 'timeout', 'timeout']);
  });
});
