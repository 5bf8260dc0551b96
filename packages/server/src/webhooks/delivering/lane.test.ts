import { describe, expect, it } from 'vitest';
import { Lane } from './lane.ts';
import { Places } from './places.ts';

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

const occupant = (organization: string, destination: string, n: number) => ({
  id: `${organization}${destination}${n}`,
  organization_id: organization,
  endpoint_id: 'wh',
  destination,
});

const left = (places: Places, organization: string, destination: string) =>
  places.giveOut('swift')({ organization_id: organization, destination }, 1_000);

describe('the places of a process', () => {
  it('are a hundred for one destination, half of them for one organization, and come back as attempts end', () => {
    const places = new Places();
    for (let n = 0; n < 50; n += 1) {
      places.begin('swift', occupant('a', 'hooks.example.com:443', n), 0);
    }
    expect(left(places, 'a', 'hooks.example.com:443')).toBe(0);
    expect(left(places, 'a', 'other.example.com:443')).toBe(50);
    for (let n = 0; n < 50; n += 1) {
      places.begin('cautious', occupant('b', 'hooks.example.com:443', n), 0);
    }
    expect(places.fullDestinations()).toEqual(['hooks.example.com:443']);
    expect(left(places, 'c', 'hooks.example.com:443')).toBe(0);
    places.end('swift', occupant('a', 'hooks.example.com:443', 7));
    expect(places.fullDestinations()).toEqual([]);
    expect(left(places, 'c', 'hooks.example.com:443')).toBe(1);
  });

  it("of a lane are never one organization's alone, and each endpoint gets less of them the fewer there are", () => {
    const places = new Places();
    const most: number[] = [];
    for (let n = 0; n < 512; n += 1) {
      if (n % 256 === 0) {
        most.push(places.mostOfEach('swift'));
      }
      places.begin('swift', occupant(n < 256 ? 'a' : 'b', `${n}.example.com:443`, n), 0);
    }
    most.push(places.mostOfEach('swift'));
    expect(most).toEqual([32, 4, 1]);
    expect(places.fullOrganizations('swift')).toEqual(['a', 'b']);
    expect(places.free('swift', 1_000)).toBe(0);
    expect(places.free('swift', 2_000)).toBe(512);
    expect(left(places, 'c', 'c.example.com:443')).toBe(50);
  });
});
