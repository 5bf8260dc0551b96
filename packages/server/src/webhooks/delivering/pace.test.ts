import { describe, expect, it } from 'vitest';
import { Pace } from './pace.ts';

/** Timers may fire slightly early. */
const MARGIN_MS = 2;
const LONG_MS = 3_600_000;

describe('a pace', () => {
  it('starts one after another, in order of arrival, with a pause in between', async () => {
    const pace = new Pace(20);
    const begun: Array<{ name: string; atMs: number }> = [];
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(
      names.map(async (name) => {
        await pace.turn();
        begun.push({ name, atMs: performance.now() });
      }),
    );
    expect(begun.map((each) => each.name)).toEqual(names);
    const pauses = begun.slice(1).map((each, index) => each.atMs - (begun[index]?.atMs ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(20 - MARGIN_MS);
  });

  it('starts the first immediately, even after an idle time longer than a pause', async () => {
    const pace = new Pace(20);
    await pace.turn();
    await pace.turn();
    await new Promise((resolve) => setTimeout(resolve, 60));
    let hasBegun = false;
    void pace.turn().then(() => {
      hasBegun = true;
    });
    await Promise.resolve();
    expect(hasBegun).toBe(true);
  });

  it('starts all immediately when it is lifted, both waiting and later ones', async () => {
    const pace = new Pace(LONG_MS);
    const begun: string[] = [];
    const take = (name: string) => pace.turn().then(() => begun.push(name));
    const waiting = ['a', 'b', 'c'].map(take);
    await waiting[0];
    expect(begun).toEqual(['a']);
    pace.lift();
    await Promise.all(waiting);
    await Promise.all(['d', 'e'].map(take));
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
