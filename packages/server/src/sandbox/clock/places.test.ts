import { describe, expect, it } from 'vitest';
import { Places } from './places.ts';

const NEVER = new AbortController().signal;

describe('places', () => {
  it('are for so many at once; the others wait for their turn, and too many are turned away', async () => {
    const places = new Places(2, 2);
    expect(await Promise.all([places.take(NEVER), places.take(NEVER)])).toEqual([true, true]);
    const turns: string[] = [];
    const wait = (name: string) => places.take(NEVER).then((isIn) => turns.push(`${name} ${isIn}`));
    const waiting = [wait('first'), wait('second')];
    expect(await places.take(NEVER)).toBe(false);
    expect(turns).toEqual([]);
    places.leave();
    await waiting[0];
    expect(turns).toEqual(['first true']);
    places.leave();
    await waiting[1];
    expect(turns).toEqual(['first true', 'second true']);
  });

  it('are not waited for any more when the end comes, and none is lost by that', async () => {
    const places = new Places(1, 1);
    const ending = new AbortController();
    await places.take(NEVER);
    const waiting = places.take(ending.signal);
    ending.abort();
    expect(await waiting).toBe(false);
    expect(await places.take(ending.signal)).toBe(false);
    places.leave();
    expect(await places.take(NEVER)).toBe(true);
  });
});
