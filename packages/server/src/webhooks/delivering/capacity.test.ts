import { describe, expect, it } from 'vitest';
import type { LaneName } from '../endpoint-state/lanes.ts';
import { Capacity } from './capacity.ts';

const HOOKS = 'hooks.example.com:443';

const attempt = (organization: string, destination: string, n: number) => ({
  id: `${organization}${destination}${n}`,
  organization_id: organization,
  endpoint_id: 'wh',
  destination,
});

const begin = (capacity: Capacity, lane: LaneName, organization: string, destination: string, count: number) => {
  for (let n = 0; n < count; n += 1) {
    capacity.begin(lane, attempt(organization, destination, n), 0);
  }
};

const left = (capacity: Capacity, organization: string, destination: string) =>
  capacity.createAllotter('fast')({ organization_id: organization, destination }, 1_000);

describe('the capacity of a process', () => {
  it('is 200 for one destination across both lanes, half of it for one organization, and is returned as attempts end', () => {
    const capacity = new Capacity();
    begin(capacity, 'fast', 'a', HOOKS, 100);
    expect(left(capacity, 'a', HOOKS)).toBe(0);
    expect(left(capacity, 'a', 'other.example.com:443')).toBe(100);
    expect(capacity.fullDestinations()).toEqual([]);
    begin(capacity, 'slow', 'b', HOOKS, 100);
    expect(capacity.fullDestinations()).toEqual([HOOKS]);
    expect(left(capacity, 'c', HOOKS)).toBe(0);
    capacity.end('fast', attempt('a', HOOKS, 7));
    expect(capacity.fullDestinations()).toEqual([]);
    expect(left(capacity, 'c', HOOKS)).toBe(1);
  });

  it('is never used up by one organization, which gets 256 on the fast lane and 512 on the slow one', () => {
    const capacity = new Capacity();
    for (const [lane, most] of [
      ['fast', 256],
      ['slow', 512],
    ] as const) {
      for (let n = 0; n < most; n += 1) {
        expect(capacity.fullOrganizations(lane)).toEqual([]);
        capacity.begin(lane, attempt('a', `${n}.example.com:443`, n), 0);
      }
      expect(capacity.fullOrganizations(lane)).toEqual(['a']);
      expect(capacity.createAllotter(lane)({ organization_id: 'a', destination: HOOKS }, 1)).toBe(0);
      expect(capacity.createAllotter(lane)({ organization_id: 'b', destination: HOOKS }, 1)).toBe(1);
    }
  });

  it.each([
    ['fast', 1_024],
    ['slow', 2_048],
  ] as const)('on the %s lane allows fewer attempts per endpoint as the lane fills', (lane, capacity) => {
    const process = new Capacity();
    const most = Array.from({ length: capacity }, (_, n) => {
      const now = process.maxPerEndpoint(lane);
      process.begin(lane, attempt(`${n % 10}`, `${n}.example.com:443`, n), 0);
      return now;
    });
    const changes = most.flatMap((each, taken) => (each === most[taken - 1] ? [] : [[taken / capacity, each]]));
    expect(changes).toEqual([
      [0, 64],
      [0.25, 4],
      [0.5, 1],
    ]);
  });

  it('on the fast lane is available again if the attempts that use it take two seconds', () => {
    const capacity = new Capacity();
    for (let n = 0; n < 512; n += 1) {
      capacity.begin('fast', attempt(`${n % 10}`, `${n}.example.com:443`, n), 0);
    }
    expect(capacity.available('fast', 1_999)).toBe(0);
    expect(capacity.available('fast', 2_000)).toBe(512);
  });

  it('is not allocated twice by one claim', () => {
    const capacity = new Capacity();
    begin(capacity, 'fast', 'a', HOOKS, 30);
    const take = capacity.createAllotter('fast');
    expect(take({ organization_id: 'a', destination: HOOKS }, 60)).toBe(60);
    expect(take({ organization_id: 'a', destination: HOOKS }, 60)).toBe(10);
    expect(take({ organization_id: 'a', destination: HOOKS }, 60)).toBe(0);
    expect(take({ organization_id: 'b', destination: HOOKS }, 1_000)).toBe(100);
    expect(take({ organization_id: 'c', destination: HOOKS }, 1)).toBe(0);
  });
});
