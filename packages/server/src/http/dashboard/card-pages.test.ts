import { describe, expect } from 'vitest';
import { createTest, it as withoutKey } from '../../../test/harness/fixtures.ts';

const PUBLISHABLE_KEY = 'pk_test_51Seathold';
const it = createTest().override('options', ({ stripe }) => ({
  settings: { ...stripe.settings, SEATHOLD_STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY },
}));

async function policyOf(baseUrl: string, path: string): Promise<string> {
  const answer = await fetch(baseUrl + path, { headers: { accept: 'text/html' } });
  return answer.headers.get('content-security-policy') ?? '';
}

async function keyOf(baseUrl: string): Promise<unknown> {
  const answer = await fetch(`${baseUrl}/dashboard.json`);
  return Object(await answer.json()).stripe_publishable_key;
}

describe('the card pages', () => {
  it.for(['/payment-methods/card', '/payment-methods/confirm'])(
    'at %s load Stripe.js, and nothing else from another origin',
    async (path, { app }) => {
      const policy = await policyOf(app.api.baseUrl, path);
      expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;");
      expect(policy).toContain("connect-src 'self' https://api.stripe.com;");
      expect(policy).toContain('frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;');
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("'unsafe-");
    },
  );

  it.for([
    '/',
    '/payment-methods',
    '/payment-methods/',
    '/payment-methods/cards',
    '/payment-methods/card/x',
    '/portal',
  ])('do not include %s', async (path, { app }) => {
    const policy = await policyOf(app.api.baseUrl, path);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('stripe');
  });

  it('get the publishable key, and nothing secret', async ({ app, stripe }) => {
    expect(await keyOf(app.api.baseUrl)).toBe(PUBLISHABLE_KEY);
    const known = await (await fetch(`${app.api.baseUrl}/dashboard.json`)).text();
    expect(known).not.toContain(stripe.secretKey);
    expect(known).not.toContain(stripe.webhookSecret);
  });

  withoutKey('load nothing from elsewhere without a publishable key', async ({ app }) => {
    expect(await keyOf(app.api.baseUrl)).toBeNull();
    expect(await policyOf(app.api.baseUrl, '/payment-methods/card')).not.toContain('stripe');
  });
});
