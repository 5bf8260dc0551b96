import { describe, expect, it } from 'vitest';
import { parseNetworks } from '../../networks/index.ts';
import { isAllowedAddress, isSameAddress } from './address-rules.ts';

function networks(text: string) {
  const parsed = parseNetworks(text);
  if (!parsed.ok) {
    throw new Error(parsed.problems.join());
  }
  return parsed.networks;
}

const allowed = (address: string, opened = '') => isAllowedAddress(address, networks(opened));

/** The first and last address of each range that IANA reserves, and cloud metadata services. */
const FORBIDDEN: ReadonlyArray<readonly [string, ...string[]]> = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.255.255.255'],
  ['link-local', '169.254.0.0', '169.254.255.255'],
  ['private', '172.16.0.0', '172.31.255.255'],
  ['IETF', '192.0.0.0', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255'],
  ['AS112', '192.31.196.0', '192.31.196.255'],
  ['AMT', '192.52.193.0', '192.52.193.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255'],
  ['private', '192.168.0.0', '192.168.255.255'],
  ['AS112', '192.175.48.0', '192.175.48.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['documentation', '198.51.100.0', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
  ['metadata', '169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ['unspecified and loopback', '::', '::1'],
  ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:168.63.129.16'],
  ['SIIT', '::ffff:0:127.0.0.1', '::ffff:0:808:808'],
  ['ISATAP', '::5efe:127.0.0.1', '2a00:1450::5efe:10.0.0.1', '2a00:1450::200:5efe:10.0.0.1', 'fe80::5efe:8.8.8.8'],
  ['NAT64', '64:ff9b::', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b::ffff:ffff'],
  ['NAT64 of one network', '64:ff9b:1::', '64:ff9b:1::808:808', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::1'],
  ['unallocated', '200::1', '400::1', '1fff:ffff::1', '4000::1', '8000::1', 'e000::1'],
  ['IETF', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Teredo', '2001::1', '2001:0:53aa:64c:0:fbff:f5ff:fffe'],
  ['ORCHID', '2001:10::1', '2001:20::1'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:7f00:1::1', '2002:808:808::1', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['AS112', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['metadata', 'fd00:ec2::254', 'fd20:ce::254'],
  ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe80::1%eth0'],
  ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast', 'ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  [
    'no address at all',
    '',
    'localhost',
    '127.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '8.8.8.8%1',
    '[::1]',
    '8.8.8',
  ],
  ['a public address with a zone', '2606:4700::1%eth0'],
];

describe('a forbidden address', () => {
  it.each(FORBIDDEN)('is in a reserved range: %s, from %s on', (_name, ...addresses) => {
    for (const address of addresses) {
      expect(allowed(address), address).toBe(false);
    }
  });
});

describe('an allowed address', () => {
  it.each([
    ['just outside of a range in IPv4', '1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
    [
      'just outside of a range in IPv4',
      '126.255.255.255',
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
    ],
    ['just outside of a range in IPv4', '172.32.0.0', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0'],
    ['just outside of a range in IPv4', '198.17.255.255', '198.20.0.0', '203.0.112.255', '223.255.255.255', '8.8.8.8'],
    ['just outside of a range in IPv4', '168.63.129.15', '168.63.129.17'],
    ['public in IPv6', '2000::1', '2001:200::1', '2001:4860:4860::8888', '2a00:1450:4001::1', '2606:4700::1111'],
    ['public in IPv6', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '2620:4f:7fff::1', '3ffe::1', '3fff:1000::1'],
    ['IPv4-mapped and public', '::ffff:8.8.8.8', '::ffff:808:808'],
  ])('is %s: %s', (_name, ...addresses) => {
    for (const address of addresses) {
      expect(allowed(address), address).toBe(true);
    }
  });

  it('is one that the operator allowed, in any spelling', () => {
    expect(allowed('10.1.2.3', '10.0.0.0/8')).toBe(true);
    expect(allowed('::ffff:10.1.2.3', '10.0.0.0/8')).toBe(true);
    expect(allowed('10.1.2.3', '::ffff:10.0.0.0/104')).toBe(true);
    expect(allowed('::1', '127.0.0.0/8,::1')).toBe(true);
    expect(allowed('fd12::1', 'fd00::/8')).toBe(true);
    expect(allowed('11.1.2.3', '12.0.0.0/8')).toBe(true);
    expect(allowed('192.168.0.1', '10.0.0.0/8')).toBe(false);
    expect(allowed('::1', '127.0.0.0/8')).toBe(false);
  });
});

describe('the metadata service of a cloud', () => {
  it.each([
    ['169.254.169.254', '169.254.0.0/16'],
    ['169.254.170.2', '169.254.170.0/24'],
    ['169.254.170.23', '169.254.170.22/31'],
    ['100.100.100.200', '100.64.0.0/10'],
    ['168.63.129.16', '168.63.129.16/31'],
    ['192.0.0.192', '0.0.0.0/0'],
    ['fd00:ec2::254', 'fc00::/7'],
    ['fd20:ce::254', 'fd20:ce::254/127'],
  ])('%s stays blocked if %s is allowed, and is allowed by its own name', (address, network) => {
    expect(allowed(address, network)).toBe(false);
    expect(allowed(address, address)).toBe(true);
    expect(allowed(address, `${network},${address}`)).toBe(true);
  });

  it('is not reached through an allowed translator', () => {
    const opened = '64:ff9b::/96,64:ff9b:1::/48,2002::/16,::/96,::ffff:0:0:0/96,169.254.0.0/16,2a00::/16';
    expect(allowed('::ffff:169.254.169.254', opened)).toBe(false);
    expect(allowed('64:ff9b::169.254.169.254', opened)).toBe(false);
    expect(allowed('64:ff9b:1::169.254.169.254', opened)).toBe(false);
    expect(allowed('2002:a9fe:a9fe::1', opened)).toBe(false);
    expect(allowed('::169.254.169.254', opened)).toBe(false);
    expect(allowed('::ffff:0:169.254.169.254', opened)).toBe(false);
    expect(allowed('2a00::5efe:169.254.169.254', opened)).toBe(false);
  });
});

describe('a machine behind NAT64', () => {
  it('reaches public IPv4 addresses once the translator is allowed, and no private ones', () => {
    expect(allowed('64:ff9b::8.8.8.8', '64:ff9b::/96')).toBe(true);
    expect(allowed('64:ff9b::10.0.0.1', '64:ff9b::/96')).toBe(false);
    expect(allowed('64:ff9b::10.0.0.1', '64:ff9b::/96,10.0.0.0/8')).toBe(true);
  });
});

describe('two spellings of an address', () => {
  it('are the same address', () => {
    expect(isSameAddress('2606:4700:0:0:0:0:0:1111', '2606:4700::1111')).toBe(true);
    expect(isSameAddress('::ffff:127.0.0.1', '127.0.0.1')).toBe(true);
    expect(isSameAddress('127.0.0.1', '127.0.0.2')).toBe(false);
    expect(isSameAddress('what', 'what')).toBe(false);
  });
});
