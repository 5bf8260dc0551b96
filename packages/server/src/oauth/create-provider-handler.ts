import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import type { Exchange } from '../http/index.ts';
import { pageHeaders } from './pages/page-headers.ts';
import { prepareRequest } from './provider/prepare-request.ts';
import { noteArrival } from './provider/request-age.ts';
import { noteOrigin } from './provider/request-origin.ts';

/** Passes a request to the library, after setting the common headers on the response. */
export function createProviderHandler(provider: Provider): (exchange: Exchange) => Promise<void> {
  const handle = provider.callback();
  return async (exchange) => {
    exchange.prepareResponse();
    for (const [name, value] of Object.entries(pageHeaders())) {
      exchange.response.setHeader(name, value);
    }
    noteArrival(exchange.request);
    noteOrigin(exchange);
    moveBelowIssuer(provider, exchange.request);
    await handle(exchange.request, exchange.response);
  };
}

/**
 * Rewrites a request for the library: its path relative to the issuer's, its host that of the issuer. Hosts and schemes
 * sent by the client are ignored.
 */
function moveBelowIssuer(provider: Provider, request: IncomingMessage): void {
  const issuer = new URL(provider.issuer);
  request.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1);
  request.headers['x-forwarded-host'] = issuer.host;
  if (request.method === 'POST' && request.headers['content-length'] === undefined) {
    // The library detects a body only by these headers; HTTP/2 needs neither.
    request.headers['transfer-encoding'] = 'chunked';
  }
  const base = issuer.pathname.replace(/\/$/, '');
  const url = request.url ?? '/';
  // The prefix of the library's own URLs.
  Reflect.set(request, 'baseUrl', base);
  request.url = prepareRequest(url.slice(base.length));
}
