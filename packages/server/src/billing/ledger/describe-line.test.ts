import { describe, expect, it } from 'vitest';
import { SOLD_SUBSCRIPTION } from '../../../test/harness/sold-subscription.ts';
import { describeChange, describePeriod } from './draft-invoice.ts';

const soldFor = (from: string, to: string) => ({
  ...SOLD_SUBSCRIPTION,
  periodStartMs: Date.parse(from),
  periodEndMs: Date.parse(to),
});

describe('the invoice line of a period', () => {
  it.each([
    ['in one year', '2026-11-01', '2026-12-01', 'Pro, 1 seat (Nov 1 – Dec 1, 2026)'],
    ['over New Year', '2026-12-31', '2027-01-31', 'Pro, 1 seat (Dec 31, 2026 – Jan 31, 2027)'],
  ])('names the plan, the seats and the days %s', (_what, from, to, text) => {
    expect(describePeriod(soldFor(from, to))).toBe(text);
  });
});

describe('the invoice line of a change', () => {
  const sold = soldFor('2026-11-01', '2026-12-01');
  const textOf = (at: string, quantity: number, planName = 'Pro') =>
    describeChange({ ...sold, quantity: 3 }, { quantity, planName }, Date.parse(at));

  it('names the plan and the seats before and after, and shows that it is prorated', () => {
    expect(textOf('2026-11-22T10:00:00Z', 5)).toBe('Pro, 5 seats (previously 3), prorated (Nov 22 – Dec 1, 2026)');
    expect(textOf('2026-11-22T10:00:00Z', 1)).toBe('Pro, 1 seat (previously 3), prorated (Nov 22 – Dec 1, 2026)');
  });

  it('names both plans when the plan changes', () => {
    const text = 'Studio, 5 seats (previously Pro, 3 seats), prorated (Nov 22 – Dec 1, 2026)';
    expect(textOf('2026-11-22T10:00:00Z', 5, 'Studio')).toBe(text);
  });

  it('names a day once when the period ends on the day of the change', () => {
    expect(textOf('2026-12-01', 5)).toBe('Pro, 5 seats (previously 3), prorated (Dec 1, 2026)');
  });
});
