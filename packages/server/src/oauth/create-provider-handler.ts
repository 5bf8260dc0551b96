import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import type { Exchange } from '../http/index.ts';
import { pageHeaders } from './pages/page-headers.ts';
import { prepareRequest } from './provider/prepare-request.ts';
import { noteArrival } from './provider/request-age.ts';
import { noteOrigin } from './provider/request-origin.ts';

/** Gives a request to the library, with the headers that every answer carries already on the response. */
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
 * Makes a request look as the library must see it: its path below the issuer's, its address that of the issuer. Nothing
 * that the client says of hosts and schemes counts.
 */
function moveBelowIssuer(provider: Provider, request: IncomingMessage): void {
  const issuer = new URL(provider.issuer);
  request.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1);
  request.headers['x-forwarded-host'] = issuer.host;
  if (request.method === 'POST' && request.headers['content-length'] === undefined) {
    // By these headers alone the library tells that there is a body; HTTP/2 needs neither.
    request.headers['transfer-encoding'] = 'chunked';
  }
  const base = issuer.pathname.replace(/\/$/, '');
  const url = request.url ?? '/';
  // The library's own addresses begin with this.
  Reflect.set(request, 'baseUrl', base);
  request.url = prepareRequest(url.slice(base.length));
}
