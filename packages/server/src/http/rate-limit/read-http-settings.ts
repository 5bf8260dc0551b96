import type { Environment } from '../../config/index.ts';
import { parseNetworks } from '../../networks/index.ts';
import { parseRateLimits, SANDBOX_MULTIPLIER } from './policies.ts';

/** The settings that this part reads itself, and their problems by name. */
export function readHttpSettings(environment: Environment) {
  const rates = environment.SEATHOLD_RATE_LIMITS || 'on';
  const production = parseRateLimits(rates, 1);
  const sandbox = parseRateLimits(rates, SANDBOX_MULTIPLIER);
  const proxies = parseNetworks(environment.SEATHOLD_TRUST_PROXY ?? '');
  const problems = [
    ...(production.ok ? [] : production.problems.map((problem) => ({ name: 'SEATHOLD_RATE_LIMITS', problem }))),
    ...(proxies.ok ? [] : proxies.problems.map((problem) => ({ name: 'SEATHOLD_TRUST_PROXY', problem }))),
  ];
  return { production, sandbox, proxies, problems };
}
