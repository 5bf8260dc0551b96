import { type Environment, InvalidSettings, loadConfig } from './config/index.ts';
import type { Opening } from './environment.ts';
import { findCertificateProblems, readHttpSettings } from './http/index.ts';
import { parseWebhookSettings } from './rooms.ts';
import type { Role } from './worker.ts';

/** All validated settings of the service. */
export type ServiceSettings = Pick<Opening, 'config' | 'limits' | 'trustedProxies' | 'webhooks'> & {
  warnings: readonly string[];
};

/** Reports all problems together, including those of the parts that read their own settings. */
export function readSettings(environment: Environment, role: Role = 'all'): ServiceSettings {
  const { config, problems, warnings } = loadConfig(environment);
  const { production, sandbox, proxies, problems: httpProblems } = readHttpSettings(environment);
  const webhooks = parseWebhookSettings(environment);
  const all = [
    ...problems,
    ...httpProblems,
    ...findCertificateProblems(environment),
    ...webhooks.problems,
    ...(role !== 'all' && config !== undefined && config.databaseUrl === undefined
      ? [{ name: 'DATABASE_URL', problem: `must be set for --role ${role}: the embedded database serves one process` }]
      : []),
  ];
  if (config === undefined || !production.ok || !sandbox.ok || !proxies.ok || all.length > 0) {
    throw new InvalidSettings(all);
  }
  return {
    config,
    limits: { production: production.limits, sandbox: sandbox.limits },
    trustedProxies: proxies.networks,
    webhooks,
    warnings,
  };
}
