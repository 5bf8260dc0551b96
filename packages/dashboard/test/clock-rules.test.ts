import { describe, expect, it } from 'vitest';
import { screenOfResource, secondsToNextMonth } from '../src/sandbox/clock-rules.ts';

describe('secondsToNextMonth', () => {
  it.each([
    ['2026-11-24T13:30:15.250Z', '2026-12-24T13:30:15.250Z'],
    ['2026-01-31T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
    ['2028-01-31T23:59:59.000Z', '2028-02-29T23:59:59.000Z'],
    ['2026-12-31T12:00:00.000Z', '2027-01-31T12:00:00.000Z'],
  ])('goes from %s to %s', (now, then) => {
    expect(secondsToNextMonth(Date.parse(now))).toBe((Date.parse(then) - Date.parse(now)) / 1000);
  });
});

describe('screenOfResource', () => {
  it('knows the screens of licenses, subscriptions and invoices', () => {
    expect(screenOfResource('inv_1')).toBe('/invoices/inv_1');
    expect(screenOfResource('cred_1')).toBeUndefined();
    expect(screenOfResource(null)).toBeUndefined();
  });
});
