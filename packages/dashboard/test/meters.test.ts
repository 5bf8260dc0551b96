import { describe, expect, it } from 'vitest';
import { percentOf, readMeters } from '../src/usage/meters.ts';

describe('the meters of a usage summary', () => {
  it('start with seats, followed by those of the catalogue by name', () => {
    const none = { included: 0, used: 0 };
    const meters = readMeters({
      period_start: '2026-11-01T00:00:00.000Z',
      period_end: '2026-12-01T00:00:00.000Z',
      seats: { included: 25, used: 17, peak: 23 },
      ai_tokens: none,
      storage_gb: { included: 500, used: 128.5 },
      meters: { renders: none, builds: none },
    });
    expect(meters.map(({ name }) => name)).toEqual(['seats', 'ai_tokens', 'storage_gb', 'builds', 'renders']);
    expect(meters[0]).toEqual({ name: 'seats', included: 25, used: 17, peak: 23 });
    expect(meters[2]).toMatchObject({ used: 128.5, peak: undefined });
  });

  it.each([
    [{ included: 500, used: 128.5 }, 25.7],
    [{ included: 10, used: 15 }, 150],
    [{ included: 0, used: 5 }, undefined],
  ])('%o is used to %s percent', (meter, percent) => {
    expect(percentOf(meter)).toBe(percent);
  });
});
