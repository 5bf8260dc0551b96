import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { bearerToken } from './browser/index.ts';
import { httpError, notFound } from './errors.ts';

/** Who may read the metrics. */
export interface MetricsAccess {
  metricsToken: string | undefined;
  /** The address that the service listens on. */
  host: string;
}

/**
 * With the token if one is set. Otherwise only from this machine, not through a proxy, and only if the service listens
 * only on loopback: behind a layer 4 proxy, every client appears to be this machine. Throws for all others.
 */
export function requireMetricsAccess(
  { metricsToken, host }: MetricsAccess,
  headers: IncomingHttpHeaders,
  clientAddress: string,
): void {
  if (metricsToken === undefined) {
    const isLocal = isLoopback(clientAddress) && headers['x-forwarded-for'] === undefined;
    if (!isLocal || !isLoopback(host)) {
      throw notFound('route');
    }
    return;
  }
  const given = bearerToken(headers.authorization);
  if (given === undefined || !equalSecrets(given, metricsToken)) {
    throw httpError('invalid_token', 'Send the metrics token as a bearer token.');
  }
}

/** Whether only this machine can reach an address; `localhost` is bound to both loopback addresses. */
export function isLoopback(address: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(address);
}

function equalSecrets(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
