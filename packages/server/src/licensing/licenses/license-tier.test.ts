import { describe, expect } from 'vitest';
import { createSilentLicenseTools } from '../../../test/harness/create-silent-license-tools.ts';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type TestApp } from '../../../test/harness/index.ts';
import { updateSubscriptionTier } from '../../organizations/index.ts';
import { changeLicense } from './change-license.ts';
import { issueLicense } from './issue-license.ts';

const MINUTES = { 60: 'free', 300: 'pro', 1000: 'enterprise' } as const;

/** The rate-limit tier of the organization's requests. */
async function tierOf(app: TestApp, token: string): Promise<string | undefined> {
  const limit = Number((await app.api.get('/v1/licenses', token)).headers.get('x-ratelimit-limit'));
  return Object.entries(MINUTES).find(([minute]) => Number(minute) === limit)?.[1];
}

const revoke = (app: TestApp, id: string) =>
  changeLicense(createSilentLicenseTools(app.database), id, { kind: 'revoke' });

describe('an organization without a subscription', () => {
  it('has the tier of its best unrevoked license, or otherwise the free tier', async ({ app, ada }) => {
    expect(await tierOf(app, ada.accessToken)).toBe('free');
    const free = await app.issueLicense(ada.organizationId, { tier: 'free' });
    expect(await tierOf(app, ada.accessToken)).toBe('free');
    const pro = await app.issueLicense(ada.organizationId);
    expect(await tierOf(app, ada.accessToken)).toBe('pro');
    const best = await app.issueLicense(ada.organizationId, { tier: 'enterprise' });
    await app.issueLicense(ada.organizationId, { tier: 'free' });
    expect(await tierOf(app, ada.accessToken)).toBe('enterprise');
    await revoke(app, best.id);
    expect(await tierOf(app, ada.accessToken)).toBe('pro');
    await revoke(app, pro.id);
    expect(await tierOf(app, ada.accessToken)).toBe('free');
    await revoke(app, free.id);
    expect(await tierOf(app, ada.accessToken)).toBe('free');
  });

  it('keeps the best tier when licenses are issued and revoked simultaneously', async ({ app }) => {
    for (let round = 0; round < 10; round += 1) {
      const ada = await app.register();
      const old = await app.issueLicense(ada.organizationId, { tier: 'enterprise' });
      const issue = (tier: 'free' | 'pro') => app.issueLicense(ada.organizationId, { tier });
      await Promise.all([issue('free'), issue('pro'), revoke(app, old.id), issue('free')]);
      const [kept] = await execute(app.database, 'select tier, license_tier from organizations where id = $1', [
        ada.organizationId,
      ]);
      expect(kept).toEqual({ tier: 'pro', license_tier: 'pro' });
    }
  });
});

describe('a live subscription', () => {
  it('determines the tier while it is live', async ({ app, ada }) => {
    await issueLicense(createSilentLicenseTools(app.database), { ...TERMS, organizationId: ada.organizationId });
    const subscribe = (tier: 'free' | 'enterprise' | undefined) =>
      updateSubscriptionTier(app.database, { organizationId: ada.organizationId, tier: tier ?? null });
    await subscribe('enterprise');
    expect(await tierOf(app, ada.accessToken)).toBe('enterprise');
    await app.issueLicense(ada.organizationId, { tier: 'pro' });
    expect(await tierOf(app, ada.accessToken)).toBe('enterprise');
    await subscribe('free');
    expect(await tierOf(app, ada.accessToken)).toBe('free');
    await subscribe(undefined);
    expect(await tierOf(app, ada.accessToken)).toBe('pro');
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
