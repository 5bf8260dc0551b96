import { describe, expect, it } from 'vitest';
import { Lane } from './lane.ts';

const begin = (lane: Lane, ids: readonly string[], nowMs: number) => {
  for (const id of ids) {
    lane.begin(id, nowMs);
  }
};

describe('a lane', () => {
  it('has as many places as it was given, and gets back those of attempts that end', () => {
    const lane = new Lane(3);
    begin(lane, ['a', 'b', 'c'], 0);
    expect(lane.freePlaces(1_000_000)).toBe(0);
    lane.end('b');
    expect(lane.freePlaces(1_000_000)).toBe(1);
  });

  it('frees the places of attempts that take long, as many as it has places, so that a few that hang keep nobody out', () => {
    const lane = new Lane(2, { oldAfterMs: 2_000, oldPlaces: 2 });
    begin(lane, ['a', 'b'], 0);
    expect(lane.freePlaces(1_999)).toBe(0);
    expect(lane.freePlaces(2_000)).toBe(2);
    begin(lane, ['c', 'd'], 2_000);
    expect(lane.freePlaces(9_000)).toBe(0);
    lane.end('a');
    expect(lane.freePlaces(9_000)).toBe(1);
  });
});
