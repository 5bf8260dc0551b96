import { describe, expect, it } from 'vitest';
import { judge, type Rules } from './judge.ts';
import type { Action, Evidence, Fault, Line } from './records.ts';

const RULES: Rules = { seats: 2, timeoutMs: 60_000, quietMs: 28_000, graceMs: 45_000, calmFrom: 0 };

/** What one program wrote: each entry is a time in seconds, an event, and its other fields. */
type Entry = readonly [at: number, event: Line['event'], more?: string | number];

function wrote(program: string, ...entries: readonly Entry[]): Line[] {
  return entries.map(([seconds, event, more]) => lineOf({ at: seconds * 1000, program }, event, more));
}

function lineOf(head: { at: number; program: string }, event: Line['event'], more?: string | number): Line {
  switch (event) {
    case 'waiting':
      return { ...head, event, position: Number(more) };
    case 'lost':
      return { ...head, event, reason: String(more), final: more === 'revoked' };
    case 'granted':
    case 'offline':
    case 'refused':
      return { ...head, event, reason: String(more ?? 'acquired') };
    default:
      return { ...head, event };
  }
}

function did(program: string, ...entries: ReadonlyArray<readonly [number, Action['event']]>): Action[] {
  return entries.map(([seconds, event]) => ({ at: seconds * 1000, program, event }));
}

function fault(from: number, to: number): Fault {
  return { name: 'network cut', from: from * 1000, to: to * 1000 };
}

function turn(program: string, from: number, to: number): Line[] {
  return wrote(program, [from - 1, 'asking'], [from, 'granted'], [to, 'stopping'], [to + 0.1, 'released']);
}

function brokenIn(evidence: Partial<Evidence>, rules: Partial<Rules> = {}): readonly string[] {
  return judge({ lines: [], actions: [], faults: [], ...evidence }, { ...RULES, ...rules }).broken;
}

/** Two programs have the seats, and two wait for them in line. */
const GOOD = [
  ...turn('a', 1, 20),
  ...turn('b', 2, 30),
  ...wrote('c', [3, 'asking'], [3.1, 'waiting', 1], [20.2, 'granted'], [40, 'stopping'], [40.1, 'released']),
  ...wrote('d', [4, 'asking'], [4.1, 'waiting', 2], [21, 'waiting', 1], [30.2, 'granted'], [50, 'stopping']),
];

it('the judge finds nothing wrong with programs that share the seats and wait in line', () => {
  const verdict = judge({ lines: GOOD, actions: [], faults: [] }, RULES);
  expect(verdict).toEqual({ broken: [], mostRunning: 2, turns: 4, turnsInLine: 2, longestWaitMs: 26_200 });
});

describe('more programs than seats', () => {
  it('are found', () => {
    const lines = [...GOOD, ...turn('e', 10, 11)];
    expect(brokenIn({ lines })).toContain('3 programs ran on 2 seats when e got one at 10000');
  });

  it('are found if one of them is offline', () => {
    const lines = [...turn('a', 1, 20), ...turn('b', 2, 30), ...wrote('a', [5, 'offline', 'timed_out'])];
    expect(brokenIn({ lines: [...lines, ...turn('c', 15, 16)] })).toEqual([
      '3 programs ran on 2 seats when c got one at 15000',
    ]);
  });

  it('are found if one of them sleeps for a short time', () => {
    const lines = [...turn('a', 1, 20), ...turn('b', 2, 30), ...turn('c', 15, 16)];
    const actions = did('a', [13, 'asleep'], [18, 'awake']);
    expect(brokenIn({ lines, actions })).toEqual(['3 programs ran on 2 seats when c got one at 15000']);
  });

  it('are no fault if one of them slept too long to know that its seat has timed out', () => {
    const lines = [
      ...wrote('a', [0, 'asking'], [1, 'granted'], [101, 'lost', 'session_timeout'], [101, 'waiting', 1]),
      ...wrote('a', [121, 'granted', 'reacquired'], [130, 'stopping']),
      ...turn('b', 2, 200),
      ...turn('c', 80, 120),
    ];
    expect(brokenIn({ lines, actions: did('a', [10, 'asleep'], [100, 'awake']) })).toEqual([]);
  });

  it('are found if one of them still runs long after waking up', () => {
    const lines = [...turn('a', 1, 300), ...turn('b', 2, 300), ...turn('c', 80, 290)];
    const actions = did('a', [10, 'asleep'], [100, 'awake']);
    expect(brokenIn({ lines, actions })).toEqual(['3 programs ran on 2 seats when a got one at 145000']);
    // Without a network it could not know.
    expect(brokenIn({ lines, actions, faults: [fault(101, 400)] })).toEqual([]);
  });

  it('are no fault if one of them was killed', () => {
    const lines = [...turn('a', 1, 20), ...wrote('b', [1, 'asking'], [2, 'granted']), ...turn('c', 15, 16)];
    expect(brokenIn({ lines, actions: did('b', [10, 'killed']) })).toEqual([]);
  });
});

describe('overtaking', () => {
  const overtaken = [
    ...turn('a', 1, 20),
    ...turn('b', 2, 60),
    ...wrote('c', [3, 'asking'], [3.1, 'waiting', 1], [40.2, 'granted'], [50, 'stopping']),
  ];

  it('by a program that joined the line later is found', () => {
    const lines = [
      ...overtaken,
      ...wrote('d', [4, 'asking'], [4.1, 'waiting', 2], [20.2, 'granted'], [40, 'stopping']),
    ];
    expect(brokenIn({ lines })).toEqual(['d got a seat at 20200 with 2 of 2 in use, before c']);
  });

  it('by a program that never waited is found', () => {
    const lines = [...overtaken, ...turn('d', 20.2, 40)];
    expect(brokenIn({ lines })).toEqual(['d got a seat at 20200 with 2 of 2 in use, before c']);
  });

  it('is not reported if a seat is left for the program that was first', () => {
    const lines = [
      ...turn('a', 1, 20),
      ...turn('b', 2, 20),
      ...wrote('c', [3, 'asking'], [3.1, 'waiting', 1], [20.8, 'granted'], [40, 'stopping']),
      ...wrote('d', [4, 'asking'], [4.1, 'waiting', 2], [20.2, 'granted'], [40, 'stopping']),
    ];
    expect(brokenIn({ lines })).toEqual([]);
  });

  it('is not reported for a machine that was killed with its seat, and finds it again', () => {
    const lines = [
      ...wrote('a', [0, 'asking'], [1, 'granted']),
      ...overtaken.filter(({ program }) => program !== 'a'),
      ...turn('a', 12, 40),
    ];
    expect(brokenIn({ lines, actions: did('a', [10, 'killed'], [11, 'started']) })).toEqual([]);
  });

  it('is not reported for a machine that was killed in line, and finds its place again', () => {
    const lines = [
      ...overtaken.filter(({ program }) => program !== 'c'),
      ...wrote('d', [2.5, 'asking'], [2.6, 'waiting', 1]),
      ...wrote('c', [3, 'asking'], [3.1, 'waiting', 2], [40.2, 'granted'], [50, 'stopping']),
      ...wrote('d', [12, 'asking'], [12.1, 'waiting', 1], [20.2, 'granted'], [40, 'stopping']),
    ];
    expect(brokenIn({ lines, actions: did('d', [10, 'killed'], [11, 'started']) })).toEqual([]);
    // A program that came in between would have had a later place.
    const later = lines.map((line) =>
      line.program === 'd' && line.at < 3_000 ? { ...line, at: line.at + 1_000 } : line,
    );
    expect(brokenIn({ lines: later, actions: did('d', [10, 'killed'], [11, 'started']) })).toEqual([
      'd got a seat at 20200 with 2 of 2 in use, before c',
    ]);
  });

  it('is not reported for a machine whose release may not have arrived', () => {
    const lines = [...overtaken, ...turn('a', 21.2, 40)];
    expect(brokenIn({ lines })).toEqual(['a got a seat at 21200 with 2 of 2 in use, before c']);
    expect(brokenIn({ lines, faults: [fault(18, 20.05)] })).toEqual([]);
    // Three attempts without an answer.
    const slow = lines.map((line) => (line === lines[2] ? { ...line, at: 14_000 } : line));
    expect(brokenIn({ lines: slow })).toEqual([]);
  });
});

describe('a place in line', () => {
  const lapsed = [
    ...turn('a', 1, 20),
    ...turn('b', 2, 60),
    ...wrote('c', [3, 'asking'], [3.1, 'waiting', 1], [55, 'waiting', 1], [60.5, 'granted'], [70, 'stopping']),
  ];

  it('that is lost for no reason is found', () => {
    expect(brokenIn({ lines: lapsed })).toEqual([
      'c, which asked at 3000, lost its place in line at 55000 without a reason',
    ]);
  });

  it('ends with its process, which may still write for a moment while it shuts down', () => {
    const lines = [
      ...turn('a', 1, 20),
      ...turn('b', 2, 60),
      ...wrote('c', [3, 'asking'], [3.1, 'waiting', 2], [5.1, 'waiting', 1]),
      ...wrote('d', [7, 'asking'], [7.1, 'waiting', 1], [20.2, 'granted'], [40, 'stopping']),
      ...wrote('c', [8, 'asking'], [8.1, 'waiting', 2], [40.2, 'granted'], [50, 'stopping']),
    ];
    expect(brokenIn({ lines, actions: did('c', [5, 'told_to_end'], [6, 'started']) })).toEqual([]);
  });

  it('may be lost by a laptop that sleeps, and by one without a network', () => {
    expect(brokenIn({ lines: lapsed, actions: did('c', [18, 'asleep'], [52, 'awake']) })).toEqual([]);
    expect(brokenIn({ lines: lapsed, faults: [fault(18, 52)] })).toEqual([]);
  });

  it('must lead to a seat in the end', () => {
    const lines = [...GOOD, ...wrote('e', [5, 'asking'], [5.1, 'waiting', 3])];
    expect(brokenIn({ lines })).toContain('e, which asked at 5000, was still without a seat at the end');
  });

  it('must not be refused', () => {
    const lines = [...turn('a', 1, 20), ...wrote('a', [21, 'asking'], [22, 'refused', 'connection_failed'])];
    expect(brokenIn({ lines })).toEqual(['a, which asked at 21000, was refused: connection_failed']);
  });
});

describe('a lost seat', () => {
  const lost = (...more: readonly Entry[]) =>
    wrote('a', [0, 'asking'], [1, 'granted'], ...more, [90, 'stopping'], [91, 'released']);

  it('is found, even if the program got another one immediately', () => {
    const none = 'without a long sleep';
    expect(brokenIn({ lines: lost([30, 'lost', 'session_timeout'], [31, 'granted', 'reacquired']) })).toEqual([
      `a lost its seat at 30000 (session_timeout) ${none}`,
      `a lost its seat at 31000 (reacquired) ${none}`,
    ]);
    expect(brokenIn({ lines: lost([31, 'granted', 'reacquired']) })).toHaveLength(1);
    expect(brokenIn({ lines: lost([10, 'offline', 'timed_out'], [20, 'granted', 'online']) })).toEqual([]);
  });

  it('is found if the program slept, but not for long', () => {
    const actions = did('a', [10, 'asleep'], [18, 'awake']);
    expect(brokenIn({ lines: lost([31, 'granted', 'reacquired']), actions })).toHaveLength(1);
  });

  it('is found if it was released, unless a late release of the previous process explains it', () => {
    const lines = lost([12, 'lost', 'session_released'], [13, 'granted', 'acquired']);
    const actions = did('a', [-5, 'told_to_end'], [-1, 'started']);
    expect(brokenIn({ lines })).toEqual(['a lost its seat at 12000 (session_released) without a long sleep']);
    expect(brokenIn({ lines, actions })).toHaveLength(1);
    expect(brokenIn({ lines, actions, faults: [fault(-6, 2)] })).toEqual([]);
  });

  it('is found if it is lost for good, even after a long sleep', () => {
    const actions = did('a', [10, 'asleep'], [80, 'awake']);
    expect(brokenIn({ lines: lost([81, 'lost', 'revoked']), actions })).toEqual([
      'a lost its seat at 81000 (revoked, for good) without a long sleep',
    ]);
    expect(brokenIn({ lines: lost([81, 'lost', 'session_timeout'], [82, 'granted', 'reacquired']), actions })).toEqual(
      [],
    );
  });
});

describe('the calm at the end', () => {
  it('must give each program a turn, unless the program has ended', () => {
    const lines = [...turn('a', 1, 20), ...turn('b', 2, 130)];
    const rules = { calmFrom: 100_000 };
    expect(brokenIn({ lines }, rules)).toEqual(['a got no turn although nothing was wrong any more']);
    expect(brokenIn({ lines, actions: did('a', [30, 'killed']) }, rules)).toEqual([]);
    expect(brokenIn({ lines, actions: did('a', [30, 'killed'], [31, 'started']) }, rules)).toHaveLength(1);
  });
});
