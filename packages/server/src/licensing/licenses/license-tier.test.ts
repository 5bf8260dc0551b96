import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSilentLicenseTools } from '../../../test/harness/create-silent-license-tools.ts';
import { execute, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { updateSubscriptionTier } from '../../organizations/index.ts';
import { changeLicense } from './change-license.ts';
import { issueLicense } from './issue-license.ts';

let test: TestApp;

beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test.close());

const MINUTES = { 60: 'free', 300: 'pro', 1000: 'enterprise' } as const;

/** The tier that requests of the organization are counted by. */
async function tierOf(token: string): Promise<string | undefined> {
  const limit = Number((await test.api.get('/v1/licenses', token)).headers.get('x-ratelimit-limit'));
  return Object.entries(MINUTES).find(([minute]) => Number(minute) === limit)?.[1];
}

const revoke = (id: string) => changeLicense(createSilentLicenseTools(test.database), id, { kind: 'revoke' });

describe('an organization without a subscription', () => {
  it('has the tier of its best license that is not revoked, or else the free tier', async () => {
    const ada = await test.register();
    expect(await tierOf(ada.accessToken)).toBe('free');
    const free = await test.issueLicense(ada.organizationId, { tier: 'free' });
    expect(await tierOf(ada.accessToken)).toBe('free');
    const pro = await test.issueLicense(ada.organizationId);
    expect(await tierOf(ada.accessToken)).toBe('pro');
    const best = await test.issueLicense(ada.organizationId, { tier: 'enterprise' });
    await test.issueLicense(ada.organizationId, { tier: 'free' });
    expect(await tierOf(ada.accessToken)).toBe('enterprise');
    await revoke(best.id);
    expect(await tierOf(ada.accessToken)).toBe('pro');
    await revoke(pro.id);
    expect(await tierOf(ada.accessToken)).toBe('free');
    await revoke(free.id);
    expect(await tierOf(ada.accessToken)).toBe('free');
  });

  it('keeps the best tier when licenses are issued and revoked at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ada = await test.register();
      const old = await test.issueLicense(ada.organizationId, { tier: 'enterprise' });
      const issue = (tier: 'free' | 'pro') => test.issueLicense(ada.organizationId, { tier });
      await Promise.all([issue('free'), issue('pro'), revoke(old.id), issue('free')]);
      const [kept] = await execute(test.database, 'select tier, license_tier from organizations where id = $1', [
        ada.organizationId,
      ]);
      expect(kept).toEqual({ tier: 'pro', license_tier: 'pro' });
    }
  });
});

describe('a live subscription', () => {
  it('decides the tier while it lives', async () => {
    const ada = await test.register();
    await issueLicense(createSilentLicenseTools(test.database), { ...TERMS, organizationId: ada.organizationId });
    const subscribe = (tier: 'free' | 'enterprise' | undefined) =>
      updateSubscriptionTier(test.database, { organizationId: ada.organizationId, tier: tier ?? null });
    await subscribe('enterprise');
    expect(await tierOf(ada.accessToken)).toBe('enterprise');
    await test.issueLicense(ada.organizationId, { tier: 'pro' });
    expect(await tierOf(ada.accessToken)).toBe('enterprise');
    await subscribe('free');
    expect(await tierOf(ada.accessToken)).toBe('free');
    await subscribe(undefined);
    expect(await tierOf(ada.accessToken)).toBe('pro');
  });
});

const TERMS = {
  product: 'studio',
  maxSeats: 3,
  features: {},
  expiresAt: null,
  tier: 'pro',
  heartbeatIntervalSeconds: undefined,
  sessionTimeoutSeconds: undefined,
} as const;
