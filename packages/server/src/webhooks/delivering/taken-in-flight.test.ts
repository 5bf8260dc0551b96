import { describe, expect, it } from 'vitest';
import { TakenInFlight } from './taken-in-flight.ts';

const ONE = { organization_id: 'org_1', endpoint_id: 'wh_1' };
const OTHER = { organization_id: 'org_1', endpoint_id: 'wh_2' };

describe('attempts sent directly', () => {
  it('are counted for their own endpoint, and forgotten with the last', () => {
    const taken = new TakenInFlight();
    taken.begin(ONE, 0);
    taken.begin(ONE, 0);
    taken.begin(OTHER, 0);
    expect([taken.count(ONE), taken.count(OTHER)]).toEqual([2, 1]);
    taken.end(ONE, 10);
    taken.end(ONE, 10);
    expect([taken.count(ONE), taken.count(OTHER), taken.isEmpty]).toEqual([0, 1, false]);
    taken.end(OTHER, 10);
    expect(taken.isEmpty).toBe(true);
  });

  it('are flowing while one of them has ended within half a second', () => {
    const taken = new TakenInFlight();
    expect(taken.isFlowing(ONE, 0)).toBe(true);
    taken.begin(ONE, 1_000);
    taken.begin(ONE, 1_400);
    expect([taken.isFlowing(ONE, 1_499), taken.isFlowing(ONE, 1_500)]).toEqual([true, false]);
    taken.end(ONE, 2_000);
    expect([taken.isFlowing(ONE, 2_499), taken.isFlowing(ONE, 2_500)]).toEqual([true, false]);
  });
});
