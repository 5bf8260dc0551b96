import type { Exchange } from './exchange.ts';
import type { Principal, TokenResolver } from './principal.ts';
import {
  clientKey,
  type EndpointLimit,
  type RateLimiter,
  type RateLimits,
  raiseLimit,
  type Subject,
  withoutTighter,
} from './rate-limit/index.ts';

/** The dependencies of admission: resolving tokens, and the rate limits. */
export interface Gatekeeper {
  tokens: TokenResolver;
  limiter: RateLimiter;
  limits: RateLimits;
}

/**
 * Counts a request under its user and organization, or else its address, with the endpoint's own limits. It takes no
 * turn of the event loop if the counters are in memory, because every request passes through here.
 */
export function count(
  gate: Pick<Gatekeeper, 'limiter' | 'limits'>,
  exchange: Exchange,
  principal: Principal | undefined,
  also: {
    limit?: EndpointLimit | undefined;
    /** The minimum of the endpoint's own limit. */
    atLeast?: number | undefined;
    account?: string | undefined;
    isEnforced?: boolean;
  } = {},
): Promise<void> | undefined {
  const { limit, account, isEnforced = gate.limits.enforce } = also;
  const key = principal === undefined ? `ip:${clientKey(exchange.clientAddress)}` : userKey(principal);
  const tier = gate.limits.tiers[principal?.tier ?? 'free'];
  const own = limit === undefined ? [] : raiseLimit(gate.limits.endpoints[limit], also.atLeast);
  const subjects = [{ key, windows: also.atLeast === undefined ? tier : withoutTighter(tier, own) }];
  if (limit !== undefined) {
    subjects.push({ key: `${limit}:${key}`, windows: own });
  }
  if (account !== undefined) {
    subjects.push({ key: `login-account:${account}`, windows: gate.limits.endpoints['login-account'] });
  }
  return decide(gate, exchange, subjects, isEnforced);
}

/** Counts the request for a file under the address, but not against the address's limit for the API. */
export function countFile(gate: Pick<Gatekeeper, 'limiter' | 'limits'>, exchange: Exchange): Promise<void> | undefined {
  const subject = { key: `file:${clientKey(exchange.clientAddress)}`, windows: gate.limits.tiers.free };
  return decide(gate, exchange, [subject], false);
}

/** Makes a rate-limit decision for a request and stores it for the response. */
export function decide(
  gate: Pick<Gatekeeper, 'limiter'>,
  exchange: Exchange,
  subjects: readonly Subject[],
  isEnforced: boolean,
): Promise<void> | undefined {
  const taken = gate.limiter.take({ subjects, nowMs: exchange.arrivedAtMs, enforce: isEnforced });
  if (taken instanceof Promise) {
    return taken.then((decision) => {
      exchange.decision = decision;
    });
  }
  exchange.decision = taken;
  return undefined;
}

/** The key that a user's requests in an organization are counted under. */
export function userKey({ userId, organizationId }: Principal): string {
  return `user:${userId}:${organizationId}`;
}
