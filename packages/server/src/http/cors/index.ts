import type { Exchange } from '../exchange.ts';
import type { Principal } from '../principal.ts';
import type { Route } from '../route.ts';
import type { OriginDirectory } from './origin-directory.ts';

export { type AppOrigins, OriginDirectory } from './origin-directory.ts';

/**
 * Which sites' scripts may read the answers of a route: `any`, those that the settings and the calling app name
 * (`listed`), or only our own (`none`). No response ever allows credentials, so cookies never work across origins.
 */
type Exposure = 'any' | 'listed' | 'none';

function exposureOf(route: Route): Exposure {
  if (route.isForAnyOrigin === true) {
    return 'any';
  }
  return route.access.kind === 'public' ? 'none' : 'listed';
}

/**
 * Decides who may read the answer, before it is sent. An answer to a known caller may be read by the sites of the
 * settings and by the app that the token belongs to. A refusal of an unknown caller reveals nothing, so every site that
 * may send requests may read it: an app learns that its token has expired.
 */
export function exposeAnswer(
  origins: OriginDirectory,
  exchange: Exchange,
  route: Route,
  principal: Principal | undefined,
): Promise<void> | undefined {
  const exposure = exposureOf(route);
  if (exposure === 'any') {
    exchange.exposeTo('*');
  } else if (exposure === 'listed') {
    exchange.varyByOrigin();
    const { origin } = exchange.request.headers;
    return origin === undefined ? undefined : exposeTo(origins, exchange, origin, principal);
  }
  return undefined;
}

async function exposeTo(
  origins: OriginDirectory,
  exchange: Exchange,
  origin: string,
  principal: Principal | undefined,
): Promise<void> {
  if (
    principal === undefined ? await mayReadRefusal(origins, exchange, origin) : await origins.mayRead(origin, principal)
  ) {
    exchange.exposeTo(origin);
  }
}

/** A client over its limit causes no query, regardless of how many origins it invents. */
function mayReadRefusal(origins: OriginDirectory, exchange: Exchange, origin: string): Promise<boolean> | boolean {
  return exchange.decision?.allowed === true ? origins.mayAsk(origin) : origins.mayAskAsFarAsKnown(origin);
}

/**
 * The answer to OPTIONS on a path: 204 with the allowed methods, and for a preflight of a permitted site, what its
 * script may send. A preflight has no token, so it is decided by the apps of all organizations. That reveals nothing,
 * because the token decides whether the script may read the response.
 */
export async function answerOptions(
  origins: OriginDirectory,
  exchange: Exchange,
  routes: readonly Route[],
  allow: string,
): Promise<void> {
  const { origin, 'access-control-request-method': wanted } = exchange.request.headers;
  const route = routes.find(({ method }) => method === wanted || (method === 'GET' && wanted === 'HEAD'));
  const exposure = route === undefined ? 'none' : exposureOf(route);
  if (routes.some((each) => exposureOf(each) === 'listed')) {
    exchange.varyByOrigin();
  }
  const isAllowed =
    origin !== undefined && (exposure === 'any' || (exposure === 'listed' && (await origins.mayAsk(origin))));
  if (isAllowed) {
    exchange.exposeTo(exposure === 'any' ? '*' : origin);
  }
  exchange.send(204, undefined, '', { allow, ...(isAllowed ? preflightHeaders(allow) : {}) });
}

/** What a script may send. The same for every path, so nothing of the request is echoed. */
export function preflightHeaders(allow: string): Record<string, string> {
  return {
    'access-control-allow-methods': allow,
    'access-control-allow-headers':
      'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Organization-Id',
    // The maximum that Chromium caches it.
    'access-control-max-age': '7200',
  };
}
