import { describe, expect, it } from 'vitest';
import { checkIntervals } from './check-intervals.ts';
import type { Entry } from './entry.ts';

const TIMEOUT_MS = 1_000;

/** The service clock runs with ours, except while the service was down. */
function samples(away: ReadonlyArray<[number, number]> = []) {
  return Array.from({ length: 500 }, (_, position) => {
    const at = position * 20;
    const lost = away.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(at, to) - from), 0);
    return { from: at - 1, to: at + 1, serviceMs: at - lost };
  });
}

function check(entries: readonly Entry[], seats = 1, away?: ReadonlyArray<[number, number]>): string[] {
  const found = checkIntervals({ entries, samples: samples(away), seats: [seats], timeoutMs: TIMEOUT_MS });
  return found.map((each) => each.split(':')[0] ?? '');
}

function entry(operation: Entry['operation'], sessionId: string | undefined, sentAt: number, more: object = {}): Entry {
  return {
    operation,
    license: 0,
    sessionId,
    userId: 'usr',
    hardwareId: 'hw',
    sentAt,
    receivedAt: sentAt + 10,
    result: 'done',
    ...more,
  };
}

describe('the check of a history', () => {
  it('accepts one seat that is passed on', () => {
    const history = [
      entry('acquire', 'a', 100),
      entry('acquire', undefined, 200, { result: 'full' }),
      entry('release', 'a', 300),
      entry('acquire', 'b', 305),
      entry('heartbeat', 'b', 1_000),
      entry('heartbeat', 'b', 2_500, { result: 'timed-out' }),
      entry('acquire', 'c', 2_600),
    ];
    expect(check(history)).toEqual([]);
  });

  it('reports two holders of one seat', () => {
    expect(check([entry('acquire', 'a', 100), entry('acquire', 'b', 200)])).toEqual(['over-allocation']);
    const kept = [entry('acquire', 'a', 100), entry('heartbeat', 'a', 900), entry('acquire', 'b', 1_500)];
    expect(check(kept)).toEqual(['over-allocation']);
  });

  it('reports a seat reassigned before its timeout, but not after it', () => {
    expect(check([entry('acquire', 'a', 100), entry('acquire', 'b', 1_050)])).toEqual(['over-allocation']);
    expect(check([entry('acquire', 'a', 100), entry('acquire', 'b', 1_110)])).toEqual([]);
  });

  it('treats a release without a response as possible, not as certain', () => {
    const history = [
      entry('acquire', 'a', 100),
      entry('release', 'a', 200, { result: 'unknown' }),
      entry('acquire', undefined, 300, { result: 'full' }),
      entry('acquire', 'b', 400),
    ];
    expect(check(history)).toEqual([]);
  });

  it('reports a refusal while the seat was free, unless an acquire without a response may explain it', () => {
    const refused = entry('acquire', undefined, 300, { result: 'full' });
    expect(check([refused])).toEqual(['false refusal']);
    expect(check([entry('acquire', 'a', 100), entry('release', 'a', 200), refused])).toEqual(['false refusal']);
    expect(check([entry('acquire', 'a', 100), refused], 2)).toEqual(['false refusal']);
    expect(check([entry('acquire', undefined, 100, { result: 'unknown' }), refused])).toEqual([]);
    const late = entry('acquire', undefined, 1_200, { result: 'full' });
    expect(check([entry('acquire', 'a', 100), late])).toEqual(['false refusal']);
  });

  it('does not count the service’s downtime towards a timeout', () => {
    const history = [entry('acquire', 'a', 100), entry('heartbeat', 'a', 3_000, { result: 'timed-out' })];
    expect(check(history)).toEqual([]);
    expect(check(history, 1, [[500, 2_900]])).toEqual(['lost seat']);
    const refused = [entry('acquire', 'a', 100), entry('acquire', undefined, 3_000, { result: 'full' })];
    expect(check(refused, 1, [[500, 2_900]])).toEqual([]);
  });

  it('reports a session that another user released, and responses that must never occur', () => {
    expect(check([entry('acquire', 'a', 100), entry('heartbeat', 'a', 200, { result: 'released' })])).toEqual([
      'lost seat',
    ]);
    expect(check([entry('acquire', undefined, 100, { result: 'fault' })])).toEqual(['fault']);
  });
});
