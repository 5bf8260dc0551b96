import { expect } from 'vitest';

/** The moments of a type among the events of a clock move. All events must be in chronological order. */
export function momentsOf(happened: ReadonlyArray<{ at: string; type: string }>, type: string): number[] {
  const times = happened.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  return happened.flatMap((each) => (each.type === type ? Date.parse(each.at) : []));
}

/** Expects each moment at its time, or a little later: the process that does due work has other things to do. */
export function expectAt(moments: readonly number[], expected: readonly number[]): void {
  expect(moments).toHaveLength(expected.length);
  const late = moments.map((moment, place) => moment - (expected[place] ?? 0));
  expect(late.filter((each) => each < 0 || each > LATE_MS)).toEqual([]);
}

const LATE_MS = 20_000;
