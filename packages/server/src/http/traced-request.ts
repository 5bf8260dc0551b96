import { isInNetworks, type Network } from '../networks/index.ts';
import type { TracedRequest } from '../tracing/index.ts';
import type { Exchange } from './exchange.ts';
import type { Route } from './route.ts';

/** Only our own proxies may continue a trace: others could add to our traces, or have all of theirs recorded. */
export function tracedRequest(
  trustedProxies: readonly Network[],
  { request, response, requestId }: Exchange,
  route: Route,
): TracedRequest {
  const isTrusted = isInNetworks(request.socket.remoteAddress ?? '', trustedProxies);
  const header = isTrusted ? request.headers.traceparent : undefined;
  return {
    requestId,
    method: route.method,
    route: route.path,
    traceparent: typeof header === 'string' ? header : undefined,
    get status() {
      return response.statusCode;
    },
  };
}
