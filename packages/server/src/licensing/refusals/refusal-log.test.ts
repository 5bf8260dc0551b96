import { describe, expect, it } from 'vitest';
import { MINUTE_MS, MOST_ENTRIES, MOST_MACHINES, RefusalLog, type RefusedAcquire } from './refusal-log.ts';

const AT = Date.parse('2026-01-31T12:00:05.000Z');
const refused = (given: Partial<RefusedAcquire> = {}): RefusedAcquire => ({
  organizationId: 'org_a',
  licenseId: 'lic_a',
  code: 'no_seats_available',
  userId: 'usr_a',
  hardwareId: 'hw_a',
  atMs: AT,
  activeSeats: 2,
  maxSeats: 2,
  ...given,
});

/** All pending entries, as a job would write them. */
function takeAll(log: RefusalLog, nowMs = 0) {
  const portions = [];
  for (let portion = log.take(500, nowMs); portion !== undefined; portion = log.take(500, nowMs)) {
    portions.push(portion);
  }
  return portions;
}
const countsOf = (log: RefusalLog, nowMs = 0) => takeAll(log, nowMs).flatMap(({ counts }) => counts);

describe('RefusalLog', () => {
  it('counts equal refusals together, with the first and last time and the seats at the last', () => {
    const log = new RefusalLog();
    log.note(refused({ atMs: AT + 2_000, activeSeats: 3, maxSeats: 3 }), 0);
    log.note(refused(), 0);
    expect(takeAll(log)).toEqual([
      {
        organizationId: 'org_a',
        counts: [
          {
            licenseId: 'lic_a',
            code: 'no_seats_available',
            machine: { userId: 'usr_a', hardwareId: 'hw_a' },
            minuteMs: Date.parse('2026-01-31T12:00:00.000Z'),
            count: 2,
            firstAtMs: AT,
            lastAtMs: AT + 2_000,
            activeSeats: 3,
            maxSeats: 3,
          },
        ],
      },
    ]);
  });

  it.each<[string, Partial<RefusedAcquire>]>([
    ['license', { licenseId: 'lic_b' }],
    ['user', { userId: 'usr_b' }],
    ['machine', { hardwareId: 'hw_b' }],
    ['code', { code: 'license_expired' }],
    ['minute', { atMs: AT + MINUTE_MS }],
    ['organization', { organizationId: 'org_b' }],
  ])('counts another %s separately', (_what, given) => {
    const log = new RefusalLog();
    log.note(refused(), 0);
    log.note(refused(given), 0);
    expect(countsOf(log).map(({ count }) => count)).toEqual([1, 1]);
  });

  it('hands out each refusal once', () => {
    const log = new RefusalLog();
    log.note(refused(), 0);
    expect(countsOf(log)).toHaveLength(1);
    expect(countsOf(log)).toEqual([]);
    log.note(refused({ atMs: AT + 1 }), 0);
    expect(countsOf(log)).toEqual([expect.objectContaining({ count: 1, firstAtMs: AT + 1 })]);
  });

  it('takes back refusals that could not be written, and adds those counted in between', () => {
    const log = new RefusalLog();
    log.note(refused(), 0);
    const portion = log.take(500, 0);
    log.note(refused({ atMs: AT + 1 }), 0);
    if (portion !== undefined) {
      log.giveBack(portion, 0);
    }
    expect(countsOf(log)).toEqual([expect.objectContaining({ count: 2, firstAtMs: AT, lastAtMs: AT + 1 })]);
  });

  it('takes back an entry that it has dropped in between', () => {
    const log = new RefusalLog();
    log.note(refused(), 0);
    const portion = log.take(500, 0);
    expect(log.take(500, MINUTE_MS)).toBeUndefined();
    if (portion !== undefined) {
      log.giveBack(portion, MINUTE_MS);
    }
    expect(countsOf(log, MINUTE_MS)).toEqual([expect.objectContaining({ count: 1 })]);
  });

  it('serves the organizations in turn', () => {
    const log = new RefusalLog();
    for (const hardwareId of ['hw_a', 'hw_b', 'hw_c']) {
      log.note(refused({ hardwareId }), 0);
    }
    log.note(refused({ organizationId: 'org_b' }), 0);
    const order = [log.take(2, 0), log.take(2, 0), log.take(2, 0)].map((portion) => portion?.organizationId);
    expect(order).toEqual(['org_a', 'org_b', 'org_a']);
  });

  it('tracks a limited number of machines per license during a storm, and loses no refusal', () => {
    const log = new RefusalLog();
    const written = [];
    // 10,000 per second for a minute, written every two seconds.
    for (let second = 0; second < 60; second += 1) {
      for (let n = 0; n < 10_000; n += 1) {
        log.note(refused({ hardwareId: `hw_${(second * 10_000 + n) % 50_000}`, atMs: AT }), second * 1_000);
      }
      written.push(...(second % 2 === 1 ? countsOf(log, second * 1_000) : []));
    }
    const rows = new Set(written.map(({ machine }) => machine?.hardwareId));
    expect(rows.size).toBe(MOST_MACHINES + 1);
    expect(rows.has(undefined)).toBe(true);
    expect(written.reduce((sum, { count }) => sum + count, 0)).toBe(600_000);
  });

  it('keeps a limited number of counts in total, and then one per license', () => {
    const log = new RefusalLog();
    const licenses = 40;
    for (let n = 0; n < 1_000_000; n += 1) {
      log.note(refused({ licenseId: `lic_${n % licenses}`, hardwareId: `hw_${n}` }), 0);
    }
    const counts = countsOf(log);
    expect(counts.length).toBeLessThanOrEqual(MOST_ENTRIES + licenses);
    expect(counts.filter(({ machine }) => machine === undefined)).toHaveLength(licenses);
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(1_000_000);
  });

  it('starts each minute with room for new machines', () => {
    const log = new RefusalLog();
    for (let n = 0; n < 2 * MOST_MACHINES; n += 1) {
      log.note(refused({ hardwareId: `hw_${n}` }), 0);
    }
    countsOf(log);
    log.note(refused({ hardwareId: 'hw_new', atMs: AT + MINUTE_MS }), MINUTE_MS);
    expect(countsOf(log, MINUTE_MS)).toEqual([
      expect.objectContaining({ machine: { userId: 'usr_a', hardwareId: 'hw_new' } }),
    ]);
  });
});
