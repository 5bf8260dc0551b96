import { changeLicense, issueLicense, type LicenseChange } from '../../src/licensing/index.ts';
import { createLicenseChangeTools } from '../../src/operator/create-license-change-tools.ts';
import type { ApiAnswer, TestApp } from '../harness/index.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';

const TERMS = {
  product: 'studio',
  maxSeats: 1,
  features: {},
  tier: 'pro' as const,
  heartbeatIntervalSeconds: undefined,
  sessionTimeoutSeconds: undefined,
};

const toolsOf = ({ database }: TestApp) => createLicenseChangeTools({ database });

/** Issues a license like the operator's command. */
export const issuing = (organizationId: string) => (app: TestApp) => {
  const expiresAt = new Date(Date.now() + 200 * 86_400_000).toISOString();
  return issueLicense(toolsOf(app), { ...TERMS, organizationId, expiresAt });
};

/** Changes a license like the operator's command. Returns what an API would if it is refused. */
export const changing = (id: string, change: LicenseChange) => (app: TestApp) =>
  changeLicense(toolsOf(app), id, change).then(
    () => ({ status: 200 }),
    ({ status }: { status: number }) => ({ status }),
  );

/** Grants an organization the same credit again and again. */
export async function granting(test: TestApp, organizationId: string): Promise<(app: TestApp) => Promise<ApiAnswer>> {
  const { token } = await makeOperatorToken(test);
  const body = { organization_id: organizationId, amount: 500, currency: 'usd', reason: 'An outage' };
  return (app) => app.api.post('/v1/operator/credits', token, body, { 'idempotency-key': 'a credit' });
}
