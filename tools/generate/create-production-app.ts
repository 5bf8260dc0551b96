import { type App, createApp } from '../../packages/server/src/app.ts';
import { loadConfig } from '../../packages/server/src/config/index.ts';
import { Database } from '../../packages/server/src/database/index.ts';
import { LeakedTokens, MemoryLimiter, parseRateLimits } from '../../packages/server/src/http/index.ts';
import { createLogger } from '../../packages/server/src/log/index.ts';
import { MasterKey } from '../../packages/server/src/security/index.ts';

/**
 * Production's application with every setting at its default. Nothing connects to its database: what is read of it is its
 * tables of routes and events.
 */
export async function createProductionApp(version: string): Promise<App> {
  const { config } = loadConfig({});
  const limits = parseRateLimits('on', 1);
  if (config === undefined || !limits.ok) {
    throw new Error('the default settings are not valid');
  }
  const database = new Database(
    'postgres://nobody@localhost:1/nothing',
    { connections: 1, maxWaiting: 0 },
    () => undefined,
  );
  return createApp({
    name: 'production',
    baseUrl: `https://localhost:${config.port}`,
    authUrl: `https://localhost:${config.port}/oauth`,
    apiTokenPrefix: 'svc_live_',
    config,
    database,
    deliveryDatabase: database,
    masterKey: new MasterKey(Buffer.alloc(32)),
    limiter: new MemoryLimiter(),
    limits: limits.limits,
    trustedProxies: [],
    webhookSettings: { allowNetworks: [], extraCa: undefined },
    log: createLogger('silent'),
    version,
    leaks: new LeakedTokens(() => undefined),
  });
}
