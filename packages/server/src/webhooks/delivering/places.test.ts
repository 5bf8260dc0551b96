import { describe, expect, it } from 'vitest';
import { type LaneName, Places } from './places.ts';

const HOOKS = 'hooks.example.com:443';

const occupant = (organization: string, destination: string, n: number) => ({
  id: `${organization}${destination}${n}`,
  organization_id: organization,
  endpoint_id: 'wh',
  destination,
});

const begin = (places: Places, lane: LaneName, organization: string, destination: string, count: number) => {
  for (let n = 0; n < count; n += 1) {
    places.begin(lane, occupant(organization, destination, n), 0);
  }
};

const left = (places: Places, organization: string, destination: string) =>
  places.giveOut('swift')({ organization_id: organization, destination }, 1_000);

describe('the places of a process', () => {
  it('are 200 for one destination over both lanes, half of them for one organization, and come back as attempts end', () => {
    const places = new Places();
    begin(places, 'swift', 'a', HOOKS, 100);
    expect(left(places, 'a', HOOKS)).toBe(0);
    expect(left(places, 'a', 'other.example.com:443')).toBe(100);
    expect(places.fullDestinations()).toEqual([]);
    begin(places, 'cautious', 'b', HOOKS, 100);
    expect(places.fullDestinations()).toEqual([HOOKS]);
    expect(left(places, 'c', HOOKS)).toBe(0);
    places.end('swift', occupant('a', HOOKS, 7));
    expect(places.fullDestinations()).toEqual([]);
    expect(left(places, 'c', HOOKS)).toBe(1);
  });

  it("of a lane are never one organization's alone, which has 256 of the swift and 512 of the cautious one", () => {
    const places = new Places();
    for (const [lane, most] of [
      ['swift', 256],
      ['cautious', 512],
    ] as const) {
      for (let n = 0; n < most; n += 1) {
        expect(places.fullOrganizations(lane)).toEqual([]);
        places.begin(lane, occupant('a', `${n}.example.com:443`, n), 0);
      }
      expect(places.fullOrganizations(lane)).toEqual(['a']);
      expect(places.giveOut(lane)({ organization_id: 'a', destination: HOOKS }, 1)).toBe(0);
      expect(places.giveOut(lane)({ organization_id: 'b', destination: HOOKS }, 1)).toBe(1);
    }
  });

  it.each([
    ['swift', 1_024],
    ['cautious', 2_048],
  ] as const)('of the %s lane go to fewer attempts of each endpoint, the more of them are taken', (lane, places) => {
    const process = new Places();
    const most = Array.from({ length: places }, (_, n) => {
      const now = process.mostOfEach(lane);
      process.begin(lane, occupant(`${n % 10}`, `${n}.example.com:443`, n), 0);
      return now;
    });
    const changes = most.flatMap((each, taken) => (each === most[taken - 1] ? [] : [[taken / places, each]]));
    expect(changes).toEqual([
      [0, 64],
      [0.25, 4],
      [0.5, 1],
    ]);
  });

  it('of the swift lane are free again when those who have them take two seconds', () => {
    const places = new Places();
    for (let n = 0; n < 512; n += 1) {
      places.begin('swift', occupant(`${n % 10}`, `${n}.example.com:443`, n), 0);
    }
    expect(places.free('swift', 1_999)).toBe(0);
    expect(places.free('swift', 2_000)).toBe(512);
  });

  it('that one claim gives out are not given out twice', () => {
    const places = new Places();
    begin(places, 'swift', 'a', HOOKS, 30);
    const take = places.giveOut('swift');
    expect(take({ organization_id: 'a', destination: HOOKS }, 60)).toBe(60);
    expect(take({ organization_id: 'a', destination: HOOKS }, 60)).toBe(10);
    expect(take({ organization_id: 'a', destination: HOOKS }, 60)).toBe(0);
    expect(take({ organization_id: 'b', destination: HOOKS }, 1_000)).toBe(100);
    expect(take({ organization_id: 'c', destination: HOOKS }, 1)).toBe(0);
  });
});
