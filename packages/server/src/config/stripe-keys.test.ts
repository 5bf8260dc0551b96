import { describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';

const NAME = 'SEATHOLD_STRIPE_PUBLISHABLE_KEY';

function problemsOf(environment: Record<string, string>): string[] {
  const { problems } = loadConfig({ SEATHOLD_STRIPE_WEBHOOK_SECRET: 'whsec_12345678', ...environment });
  return problems.filter(({ name }) => name === NAME).map(({ problem }) => problem);
}

describe(NAME, () => {
  it.each([
    ['pk_live_12345678', 'sk_live_12345678'],
    ['pk_live_12345678', 'rk_live_12345678'],
    ['pk_test_12345678', 'sk_test_12345678'],
  ])('accepts %s with %s', (publishable, secret) => {
    expect(problemsOf({ [NAME]: publishable, SEATHOLD_STRIPE_SECRET_KEY: secret })).toEqual([]);
  });

  it.each([
    ['pk_live_12345678', 'sk_test_12345678'],
    ['pk_test_12345678', 'rk_live_12345678'],
  ])('refuses %s with %s', (publishable, secret) => {
    expect(problemsOf({ [NAME]: publishable, SEATHOLD_STRIPE_SECRET_KEY: secret })).toEqual([
      'must be a live key if and only if SEATHOLD_STRIPE_SECRET_KEY is one',
    ]);
  });

  it('is refused without a secret key, and instead of one', () => {
    expect(problemsOf({ [NAME]: 'pk_live_12345678' })).toEqual(['requires SEATHOLD_STRIPE_SECRET_KEY']);
    expect(problemsOf({ [NAME]: 'sk_live_12345678', SEATHOLD_STRIPE_SECRET_KEY: 'sk_live_12345678' })).toEqual([
      'must begin with pk_live_ or pk_test_',
    ]);
  });
});
