import { describe, expect, it } from 'vitest';
import { isKnownPattern, wantsEvent } from './subscription-rules.ts';

const CATALOGUE = ['license.seat.acquired', 'license.seats.exhausted', 'license.expired', 'invoice.paid'];

describe('a subscription', () => {
  it.each([
    ['license.seat.acquired', 'license.seat.acquired', true],
    ['license.seat.*', 'license.seat.acquired', true],
    ['license.*', 'license.seat.acquired', true],
    ['*', 'license.seat.acquired', true],
    ['license.seat.*', 'license.seats.exhausted', false],
    ['license.seat', 'license.seat.acquired', false],
    ['licens*', 'license.expired', false],
    ['invoice.*', 'license.expired', false],
    ['license.expired.*', 'license.expired', false],
  ])('to %s matches the event %s: %s', (pattern, type, wanted) => {
    expect(wantsEvent(['org.member.joined', pattern], type)).toBe(wanted);
  });

  it('can name only existing events', () => {
    expect(['*', 'license.*', 'license.seat.*', 'invoice.paid'].every((each) => isKnownPattern(CATALOGUE, each))).toBe(
      true,
    );
    for (const pattern of [
      '',
      'license',
      'license.',
      'license.*.*',
      'licence.*',
      'invoice.paid.*',
      '*.*',
      '**',
      'invoice.*d',
    ]) {
      expect(isKnownPattern(CATALOGUE, pattern)).toBe(false);
    }
  });
});
