import { describe, expect, it } from 'vitest';
import { Lane } from './lane.ts';

const begin = (lane: Lane, ids: readonly string[], nowMs: number) => {
  for (const id of ids) {
    lane.begin(id, nowMs);
  }
};

describe('a lane', () => {
  it('has the given capacity, and gets it back as attempts end', () => {
    const lane = new Lane(3);
    begin(lane, ['a', 'b', 'c'], 0);
    expect(lane.available(1_000_000)).toBe(0);
    lane.end('b');
    expect(lane.available(1_000_000)).toBe(1);
  });

  it('does not count long attempts, up to a limit, so that a few that hang block nobody', () => {
    const lane = new Lane(2, { agedAfterMs: 2_000, maxAged: 2 });
    begin(lane, ['a', 'b'], 0);
    expect(lane.available(1_999)).toBe(0);
    expect(lane.available(2_000)).toBe(2);
    begin(lane, ['c', 'd'], 2_000);
    expect(lane.available(9_000)).toBe(0);
    lane.end('a');
    expect(lane.available(9_000)).toBe(1);
  });
});
