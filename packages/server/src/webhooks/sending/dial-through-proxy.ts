import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { AddressGuard } from './address-guard.ts';
import { type AttemptError, AttemptFailure } from './attempt-errors.ts';
import type { EarlyEnd } from './early-end.ts';
import { type Dial, shakeHands } from './handshake.ts';
import type { OnProxyRefusal } from './proxy-refusals.ts';
import { bareHost } from './url-rules.ts';

/** The proxy that connections go through. */
export interface Proxy {
  url: URL;
  connectMs: number;
  onRefusal: OnProxyRefusal;
}

/**
 * Dials through a proxy by CONNECT (RFC 9110 section 9.3.6). The proxy resolves the names, so only literals and
 * localhost are judged here: the proxy itself has to refuse private addresses, like smokescreen.
 */
export function dialThroughProxy(proxy: Proxy, guard: AddressGuard, secureContext: SecureContext): Dial {
  return async (url, ending) => {
    const host = bareHost(url);
    guard.vetUnresolved(host);
    const tunnel = await connectTunnel(proxy, authorityOf(url), secureContext, ending);
    const socket = await shakeHands(
      { socket: tunnel, host, secureContext, ...(isIP(host) === 0 ? { servername: host } : {}) },
      ending,
      null,
    ).catch((error: unknown) => {
      tunnel.destroy();
      throw error;
    });
    socket.once('close', () => tunnel.destroy());
    return { socket, address: null };
  };
}

/**
 * CONNECT always has a port, even the default one. The name has no trailing dot, so that a rule of the proxy matches
 * both spellings.
 */
function authorityOf(url: URL): string {
  return `${url.hostname.replace(/\.$/, '')}:${url.port || 443}`;
}

async function connectTunnel(
  { url: proxy, connectMs, onRefusal }: Proxy,
  authority: string,
  secureContext: SecureContext,
  ending: EarlyEnd,
): Promise<Duplex> {
  const { Client } = await import('undici');
  ending.throwIfEnded();
  const aborter = new AbortController();
  ending.onEnd(() => aborter.abort(ending.reason));
  const client = new Client(proxy.origin, {
    allowH2: false,
    connect: { timeout: connectMs, secureContext, rejectUnauthorized: true, allowH2: false },
  });
  try {
    const { statusCode, socket } = await client.connect({
      path: authority,
      headers: { host: authority, ...credentialsOf(proxy) },
      signal: aborter.signal,
    });
    socket.on('error', () => undefined);
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      const kind = REFUSALS.get(statusCode) ?? 'network_unreachable';
      if (kind === 'forbidden_address') {
        // A wrong proxy password looks the same to the customer, so it must be reported to the operator.
        onRefusal({ statusCode, proxy: proxy.host });
      }
      throw new AttemptFailure(kind);
    }
    return socket;
  } catch (error) {
    ending.throwIfEnded();
    // An unavailable proxy says nothing about the receiver.
    throw error instanceof AttemptFailure ? error : new AttemptFailure('network_unreachable', null, error);
  } finally {
    ending.offEnd();
    client.destroy().catch(() => undefined);
  }
}

/** The statuses of proxy refusals; smokescreen uses 407. */
const REFUSALS: ReadonlyMap<number, AttemptError> = new Map([
  [403, 'forbidden_address'],
  [407, 'forbidden_address'],
  [504, 'connect_timeout'],
]);

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') {
    return {};
  }
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
