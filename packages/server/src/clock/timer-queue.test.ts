import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TimerQueue } from './timer-queue.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Advances the clock, and lets the event loop turn once. */
async function advance(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  await new Promise((resolve) => setImmediate(resolve));
}

describe('a timer queue', () => {
  it('makes each call at its own time, never earlier, with one timer', async () => {
    const queue = new TimerQueue(100);
    const called: string[] = [];
    queue.start(() => called.push('first'));
    await advance(30);
    queue.start(() => called.push('second'));
    expect(vi.getTimerCount()).toBe(1);
    await advance(69);
    expect(called).toEqual([]);
    await advance(1);
    expect(called).toEqual(['first']);
    await advance(29);
    expect(called).toEqual(['first']);
    await advance(1);
    expect(called).toEqual(['first', 'second']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never makes a stopped call, and starts again after it was empty', async () => {
    const queue = new TimerQueue(100);
    const called: string[] = [];
    queue.stop(queue.start(() => called.push('stopped')));
    await advance(50);
    queue.start(() => called.push('later'));
    await advance(99);
    expect(called).toEqual([]);
    await advance(1);
    expect(called).toEqual(['later']);
    await advance(1_000);
    queue.start(() => called.push('again'));
    await advance(100);
    expect(called).toEqual(['later', 'again']);
  });

  it('makes a call after messages that arrived in time, even if the process was too busy to read them', async () => {
    vi.useRealTimers();
    const happened: string[] = [];
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [accepted] = (await once(server, 'connection')) as [Socket];
    client.on('data', () => happened.push('answer'));
    accepted.write('answer');

    const queue = new TimerQueue(20);
    const isOver = new Promise<void>((resolve) => {
      queue.start(() => {
        happened.push('timeout');
        resolve();
      });
    });
    const blockedUntilMs = performance.now() + 60;
    while (performance.now() < blockedUntilMs) {
      // For as long as a busy process can block its event loop.
    }
    await isOver;
    expect(happened).toEqual(['answer', 'timeout']);
    client.destroy();
    server.close();
  });
});
