import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A network in CIDR form, with IPv4-mapped ones converted to IPv4. */
export interface Network {
  readonly address: Address;
  readonly prefixBits: number;
}

/** An IP address, read by `parseAddress`. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type ParsedNetworks =
  | { readonly ok: true; readonly networks: readonly Network[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads a list of networks or single addresses, separated by commas. Never throws; problems are in plain words. */
export function parseNetworks(text: string): ParsedNetworks {
  const entries = text.split(',').map((entry) => entry.trim());
  const networks: Network[] = [];
  const problems: string[] = [];
  for (const entry of entries.filter((one) => one !== '')) {
    const network = parseNetwork(entry);
    if (network === undefined) {
      problems.push(`"${entry}" is neither an IP address nor a network such as 10.0.0.0/8`);
    } else {
      networks.push(network);
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, networks };
}

/** Whether an address is in one of the networks. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const parsed = networks.length === 0 ? undefined : parseAddress(address);
  return parsed !== undefined && containsAddress(networks, parsed);
}

function parseNetwork(entry: string): Network | undefined {
  const slash = entry.indexOf('/');
  const text = slash === -1 ? entry : entry.slice(0, slash);
  const written = parseWritten(text);
  if (written === undefined) {
    return undefined;
  }
  const longest = written instanceof ipaddr.IPv4 ? 32 : 128;
  const bits = slash === -1 ? String(longest) : entry.slice(slash + 1);
  const prefixBits = Number(bits);
  if (!/^\d{1,3}$/.test(bits) || prefixBits > longest) {
    return undefined;
  }
  // Clients are compared in IPv4 form, so a network of IPv4-mapped addresses must be converted too.
  const mapped = written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress() && prefixBits >= 96;
  return mapped ? { address: written.toIPv4Address(), prefixBits: prefixBits - 96 } : { address: written, prefixBits };
}

/** Whether a parsed address is in one of the networks. */
export function containsAddress(networks: readonly Network[], address: Address): boolean {
  return networks.some((network) => contains(network, address));
}

function contains(network: Network, address: Address): boolean {
  if (network.address instanceof ipaddr.IPv4) {
    return address instanceof ipaddr.IPv4 && address.match(network.address, network.prefixBits);
  }
  return address instanceof ipaddr.IPv6 && address.match(network.address, network.prefixBits);
}

/**
 * An address in canonical form: IPv4-mapped IPv6 becomes IPv4, because a dual-stack listener may show the same client
 * either way.
 */
export function parseAddress(text: string): Address | undefined {
  const address = parseWritten(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Only the ordinary notations: octal or hexadecimal IPv4 is read differently by different proxies. */
function parseWritten(text: string): Address | undefined {
  const zone = text.indexOf('%');
  const plain = zone === -1 ? text : text.slice(0, zone);
  // The library throws for text that is not IPv4, which is slow.
  if (isIPv4(plain)) {
    return ipaddr.IPv4.parse(plain);
  }
  return ipaddr.IPv6.isValid(plain) ? ipaddr.IPv6.parse(plain) : undefined;
}
