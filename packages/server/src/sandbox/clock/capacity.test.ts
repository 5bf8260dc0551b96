import { describe, expect, it } from 'vitest';
import { Capacity } from './capacity.ts';

const NEVER = new AbortController().signal;

describe('Capacity', () => {
  it('runs a limited number at the same time, queues others, and refuses if too many wait', async () => {
    const capacity = new Capacity(2, 2);
    expect(await Promise.all([capacity.acquire(NEVER), capacity.acquire(NEVER)])).toEqual([true, true]);
    const turns: string[] = [];
    const wait = (name: string) => capacity.acquire(NEVER).then((isIn) => turns.push(`${name} ${isIn}`));
    const waiting = [wait('first'), wait('second')];
    expect(await capacity.acquire(NEVER)).toBe(false);
    expect(turns).toEqual([]);
    capacity.release();
    await waiting[0];
    expect(turns).toEqual(['first true']);
    capacity.release();
    await waiting[1];
    expect(turns).toEqual(['first true', 'second true']);
  });

  it('stops waiting when the process ends, without losing a turn', async () => {
    const capacity = new Capacity(1, 1);
    const ending = new AbortController();
    await capacity.acquire(NEVER);
    const waiting = capacity.acquire(ending.signal);
    ending.abort();
    expect(await waiting).toBe(false);
    expect(await capacity.acquire(ending.signal)).toBe(false);
    capacity.release();
    expect(await capacity.acquire(NEVER)).toBe(true);
  });
});
