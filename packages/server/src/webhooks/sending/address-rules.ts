import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isInNetworks, type Network } from '../../networks/index.ts';

/**
 * Whether a delivery may be sent to this address: a public one, or one that the operator allows. Text that is not an
 * address, or has a zone, is not allowed.
 *
 * Addresses with an embedded IPv4 address lead to it, so the inner one must also be allowed: an operator behind NAT64
 * who allows 64:ff9b::/96 does not allow the metadata service of the cloud.
 */
export function isAllowedAddress(text: string, opened: readonly Network[]): boolean {
  const address = parseAddress(text);
  if (address === undefined) {
    return false;
  }
  if (address instanceof ipaddr.IPv6) {
    if (address.isIPv4MappedAddress()) {
      return isAllowedAddress(address.toIPv4Address().toString(), opened);
    }
    const inner = innerIpv4(address);
    return isOpenOrPublic(address, opened) && (inner === undefined || isAllowedAddress(inner, opened));
  }
  return isOpenOrPublic(address, opened);
}

/** Whether two texts are the same address, in any notation. */
export function isSameAddress(one: string, other: string): boolean {
  const first = normalized(one);
  return first !== undefined && first === normalized(other);
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function isOpenOrPublic(address: Address, opened: readonly Network[]): boolean {
  const text = address.toString();
  if (!METADATA.has(address.toNormalizedString())) {
    return isInNetworks(text, opened) || isPublic(address);
  }
  // Access to the metadata service gives the machine's credentials, so allowing a wide network does not allow its
  // address.
  const bits = address instanceof ipaddr.IPv4 ? 32 : 128;
  return isInNetworks(
    text,
    opened.filter((network) => network.prefixBits === bits),
  );
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') {
    return false;
  }
  if (address instanceof ipaddr.IPv4) {
    return !REFUSED_IPV4.some(([network, bits]) => address.match(network, bits));
  }
  const [network, bits] = GLOBAL_UNICAST;
  return (
    address.match(network, bits) &&
    innerIpv4(address) === undefined &&
    !REFUSED_IPV6.some(([refused, refusedBits]) => address.match(refused, refusedBits))
  );
}

/** The IPv4 address that a translator or tunnel would forward to. */
function innerIpv4(address: ipaddr.IPv6): string | undefined {
  const { parts } = address;
  if (parts.slice(0, 7).every((part) => part === 0) && (parts[7] ?? 0) <= 1) {
    // :: and ::1 look like IPv4-compatible addresses (RFC 4291 section 2.5.5.1) but are not.
    return undefined;
  }
  const carrier = CARRIERS.find(([[network, bits]]) => address.match(network, bits));
  // ISATAP (RFC 5214 section 6.1) may use any prefix: its marker is in the interface identifier.
  const isIsatap = ((parts[4] ?? 0) & 0xfcff) === 0 && parts[5] === 0x5efe;
  if (carrier === undefined && !isIsatap) {
    return undefined;
  }
  const at = carrier?.[1] ?? 6;
  const bytes = [parts[at] ?? 0, parts[at + 1] ?? 0].flatMap((part) => [part >> 8, part & 0xff]);
  return bytes.join('.');
}

/** A network: an address and the number of its significant leading bits. */
const ipv4 = (cidr: string) => ipaddr.IPv4.parseCIDR(cidr);
const ipv6 = (cidr: string) => ipaddr.IPv6.parseCIDR(cidr);

/** The IPv6 space that IANA has allocated so far (RFC 4291 section 2.4); all else is special. */
const GLOBAL_UNICAST = ipv6('2000::/3');

/** IANA's special-purpose registry. The library knows most of them, but refusals must not depend on its version. */
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(ipv4);

/** Special networks inside 2000::/3: Teredo, benchmarking, ORCHID and drones; documentation; 6to4; AS112. */
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'].map(ipv6);

/**
 * Networks with an embedded IPv4 address: IPv4-compatible, SIIT, NAT64 (RFC 6052, 8215) and 6to4, and the part at which
 * it begins.
 */
const CARRIERS: ReadonlyArray<readonly [[ipaddr.IPv6, number], number]> = [
  [ipv6('::/96'), 6],
  [ipv6('::ffff:0:0:0/96'), 6],
  [ipv6('64:ff9b::/96'), 6],
  [ipv6('64:ff9b:1::/48'), 6],
  [ipv6('2002::/16'), 1],
];

/**
 * The metadata services of clouds, which reveal a machine's secrets: AWS and most others, AWS's containers, Alibaba,
 * Azure, Oracle, Google.
 */
const METADATA: ReadonlySet<string> = new Set(
  [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
  ].map((text) => ipaddr.parse(text).toNormalizedString()),
);

function parseAddress(text: string): Address | undefined {
  // The library throws for text that is not IPv4, which is slow.
  if (isIPv4(text)) {
    return ipaddr.IPv4.parse(text);
  }
  // The library reads ::8.8.8.8, which is how resolvers print ::808:808, as ::ffff:8.8.8.8; the socket does not.
  const plain = text.replace(/^::(?=\d+\.)/, '::0:');
  return !plain.includes('%') && ipaddr.IPv6.isValid(plain) ? ipaddr.IPv6.parse(plain) : undefined;
}

function normalized(text: string): string | undefined {
  const address = parseAddress(text);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return (isMapped ? address.toIPv4Address() : address)?.toNormalizedString();
}
