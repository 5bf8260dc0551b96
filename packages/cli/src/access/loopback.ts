import { BlockList, isIP } from 'node:net';

/**
 * Whether a URL's host is this machine. Names are not resolved: only `localhost` counts. Its subdomains may lead
 * elsewhere, because not every system keeps them local (RFC 6761 section 6.3).
 */
export function isLoopback(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version === 0) {
    return host === 'localhost';
  }
  return LOOPBACK.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
