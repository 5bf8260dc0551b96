import { randomBytes } from 'node:crypto';
import { createAuth } from '../auth/index.ts';
import { systemClock } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import { claimDemonstration, type Queries } from '../database/index.ts';
import { createOutbox } from '../events/index.ts';
import { issueLicense } from '../licensing/index.ts';
import type { Logger } from '../log/index.ts';
import { Mailer } from '../mail/index.ts';
import { CONNECTED_APPS } from '../oauth/index.ts';
import { type MasterKey, TOKEN_PREFIXES } from '../security/index.ts';
import { hasUsers } from '../users/index.ts';
import { createLicenseChangeTools } from './create-license-change-tools.ts';

/** The values for a newcomer to paste; the secrets are shown only this once. */
export interface Demonstration {
  email: string;
  password: string;
  apiToken: string;
  licenseKey: string;
}

/**
 * Creates a demonstration organization with a license of five seats in a new sandbox, only once; undefined if it was
 * already created. Its password and token are random, so there are no default secrets.
 */
export async function createDemonstration(tools: {
  database: Queries;
  masterKey: MasterKey;
  baseUrl: string;
  config: Config;
  log: Logger;
}): Promise<Demonstration | undefined> {
  const { database, masterKey, baseUrl, config, log } = tools;
  const auth = createAuth({
    database,
    masterKey,
    outbox: createOutbox([]),
    mailer: new Mailer(masterKey),
    config,
    log,
    clock: systemClock,
    baseUrl,
    authUrl: `${baseUrl}/oauth`,
    apiTokenPrefix: TOKEN_PREFIXES.apiTest,
    connectedApps: CONNECTED_APPS,
  });
  return database.transaction(async (tx) => {
    if ((await hasUsers(tx)) || !(await claimDemonstration(tx))) {
      return undefined;
    }
    const email = 'demo@example.com';
    const password = randomBytes(12).toString('base64url');
    const account = await auth.registerUser(tx, { email, password, name: 'Demo', organizationName: 'Demonstration' });
    const { organization_id: organizationId } = account.membership;
    const owner = { userId: account.user.id, organizationId };
    const token = await auth.createApiToken(tx, owner, {
      name: 'Demonstration',
      scopes: ['read:licenses', 'manage:licenses', 'read:org', 'read:profile'],
      expires_at: null,
    });
    const { license } = await issueLicense(createLicenseChangeTools({ database: tx }), {
      organizationId,
      product: 'demo',
      maxSeats: 5,
      features: { ai_assistance: true, cloud_workstations: false, team_collaboration: true, priority_support: false },
      expiresAt: new Date(systemClock.nowMs() + DEMONSTRATION_DAYS * 86_400_000).toISOString(),
      tier: 'pro',
      heartbeatIntervalSeconds: undefined,
      sessionTimeoutSeconds: undefined,
    });
    return { email, password, apiToken: token.token, licenseKey: license.key };
  });
}

const DEMONSTRATION_DAYS = 365;
