import ipaddr from 'ipaddr.js';
import { containsAddress, type Network, parseAddress } from '../../networks/index.ts';

/**
 * The address of the client behind trusted proxies. `X-Forwarded-For` is read from right to left, past trusted proxies,
 * to the first address that is not trusted: everything left of that was written by the client and may be forged. An
 * untrusted peer is the client itself, regardless of its headers.
 */
export function clientAddress(
  remoteAddress: string,
  forwardedFor: string | undefined,
  trusted: readonly Network[],
): string {
  const hops = trusted.length > 0 ? (forwardedFor ?? '') : '';
  if (hops === '' && isWithoutColon(remoteAddress)) {
    return remoteAddress;
  }
  let current = parseAddress(remoteAddress);
  if (current === undefined) {
    return remoteAddress;
  }
  let end = hops.length;
  while (end > 0 && containsAddress(trusted, current)) {
    const comma = hops.lastIndexOf(',', end - 1);
    const previous = parseAddress(withoutPort(hops.slice(comma + 1, end).trim()));
    if (previous === undefined) {
      break;
    }
    current = previous;
    end = comma;
  }
  return current.toString();
}

/**
 * The key that an unauthenticated client is counted under: its IPv4 address, or the /64 of its IPv6 address, because a
 * subscriber gets at least that much (RFC 6177) and may use any address in it. Any other text is its own key.
 */
export function clientKey(address: string): string {
  const parsed = isWithoutColon(address) ? undefined : parseAddress(address);
  if (parsed === undefined) {
    return address;
  }
  if (parsed instanceof ipaddr.IPv4) {
    return parsed.toString();
  }
  const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}

/** Some proxies append the client's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry);
  if (bracketed?.[1] !== undefined) {
    return bracketed[1];
  }
  const colon = entry.indexOf(':');
  return colon !== -1 && colon === entry.lastIndexOf(':') ? entry.slice(0, colon) : entry;
}

/** A socket reports an IPv4 peer without colons, so there is nothing to parse. */
function isWithoutColon(address: string): boolean {
  return !address.includes(':');
}
