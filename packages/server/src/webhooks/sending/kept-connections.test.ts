import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import { ATTEMPT_MS, OK, post, startSendingWorld, until } from '../../../test/harness/sending-world.ts';
import { answerWith, onRequest } from '../../../test/harness/tls-receiver.ts';

const { sender, receiver } = startSendingWorld();

describe('a kept connection', () => {
  it('carries the next attempt, and its address is still known', async () => {
    const { url, counts } = await receiver(answerWith(OK));
    const { send } = sender();
    for (let at = 0; at < 5; at += 1) {
      expect(await send(post(url))).toMatchObject({ error: null, address: '127.0.0.1' });
    }
    expect(counts.opened).toBe(1);
  });

  it('that the receiver closes upon a request is not retried: an attempt is one request', async () => {
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

  it('is not retried once a byte of a response has arrived', async () => {
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

  it('that was closed while idle is not used, and a new one is dialed', async () => {
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

  it('is closed with its sender, which waits for running attempts', async () => {
    const asked: TLSSocket[] = [];
    const { url, counts } = await receiver((socket) => onRequest(socket, () => asked.push(socket)));
    const { send, close } = sender();
    const first = send(post(url));
    await until(() => asked.length === 1);
    asked[0]?.write(OK);
    await first;
    const order: string[] = [];
    const running = send(post(url)).finally(() => order.push('answered'));
    await until(() => asked.length === 2);
    const closed = close().then(() => order.push('closed'));
    await nextTurn();
    expect(order).toEqual([]);
    asked[1]?.write(OK);
    expect(await running).toMatchObject({ error: null });
    await closed;
    expect(order.toSorted()).toEqual(['answered', 'closed']);
    await expect.poll(() => counts.open).toBe(0);
  });
});

/** Longer than an attempt waits for a busy connection before it dials. */
const DIALLED_MS = 10;

describe('attempts to one origin', () => {
  it('share at most two hundred connections', async () => {
    const asked: TLSSocket[] = [];
    const { url, counts } = await receiver((socket) =>
      onRequest(socket, () => {
        asked.push(socket);
        // No request is answered before two hundred have arrived; later ones are answered immediately.
        for (const each of asked.length < 200 ? [] : asked.length === 200 ? asked : [socket]) {
          each.write(OK);
        }
      }),
    );
    const { send } = sender();
    const attempts = Array.from({ length: 250 }, () => send(post(url)));
    await vi.advanceTimersByTimeAsync(DIALLED_MS);
    const results = await Promise.all(attempts);
    expect(results.every(({ error }) => error === null)).toBe(true);
    expect(counts.opened).toBe(200);
  });

  it('wait a moment for a busy connection, and dial no other if it becomes free', async () => {
    const asked: TLSSocket[] = [];
    const { url, counts } = await receiver((socket) => onRequest(socket, () => asked.push(socket)));
    const { send } = sender();
    const attempts = Array.from({ length: 5 }, () => send(post(url)));
    for (let answered = 0; answered < 5; answered += 1) {
      await until(() => asked.length > answered);
      asked[answered]?.write(OK);
    }
    expect((await Promise.all(attempts)).every(({ error }) => error === null)).toBe(true);
    expect(counts.opened).toBe(1);
  });

  it('wait for a connection only until they time out', async () => {
    let asked = 0;
    const { url } = await receiver((socket) =>
      onRequest(socket, () => {
        asked += 1;
      }),
    );
    const { send } = sender();
    const attempts = Array.from({ length: 201 }, () => send(post(url)));
    await vi.advanceTimersByTimeAsync(DIALLED_MS);
    await until(() => asked === 200);
    // All at the same moment, or the waiting one would get the connection of the first to end.
    vi.advanceTimersByTime(ATTEMPT_MS);
    const kinds = (await Promise.all(attempts)).map(({ error }) => error).sort();
    expect([kinds[0], kinds[1], kinds.at(-1)]).toEqual(['connect_timeout', 'timeout', 'timeout']);
  });
});
