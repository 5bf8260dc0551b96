import { describe, expect, it } from 'vitest';
import { Destinations } from './destinations.ts';
import { Lane } from './lane.ts';

const begin = (lane: Lane, ids: readonly string[], nowMs: number) => {
  for (const id of ids) {
    lane.begin(id, nowMs);
  }
};

describe('a lane', () => {
  it('has as many places as it was given, and gets back those of attempts that end', () => {
    const lane = new Lane(true, 3, Number.POSITIVE_INFINITY);
    begin(lane, ['a', 'b', 'c'], 0);
    expect(lane.freePlaces(1_000_000)).toBe(0);
    lane.end('b');
    expect(lane.freePlaces(1_000_000)).toBe(1);
  });

  it('frees the places of attempts that take long, as many as it has places, so that a few that hang keep nobody out', () => {
    const lane = new Lane(false, 2, 2_000);
    begin(lane, ['a', 'b'], 0);
    expect(lane.freePlaces(1_999)).toBe(0);
    expect(lane.freePlaces(2_000)).toBe(2);
    begin(lane, ['c', 'd'], 2_000);
    expect(lane.freePlaces(9_000)).toBe(0);
    lane.end('a');
    expect(lane.freePlaces(9_000)).toBe(1);
  });
});

describe('a destination', () => {
  it('takes a hundred attempts at once, and more as they end', () => {
    const destinations = new Destinations();
    const taken = Array.from({ length: 101 }, () => destinations.begin('hooks.example.com:443'));
    expect(taken.filter((each) => each)).toHaveLength(100);
    expect(destinations.full()).toEqual(['hooks.example.com:443']);
    expect(destinations.begin('other.example.com:443')).toBe(true);
    destinations.end('hooks.example.com:443');
    expect(destinations.full()).toEqual([]);
    expect(destinations.begin('hooks.example.com:443')).toBe(true);
  });
});
