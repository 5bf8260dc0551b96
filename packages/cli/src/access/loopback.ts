import { BlockList, isIP } from 'node:net';

/**
 * Whether a URL's host is this machine itself. Names are not resolved: any but `localhost` may lead elsewhere, those below
 * it included, since only some systems keep them to themselves (RFC 6761 section 6.3).
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
