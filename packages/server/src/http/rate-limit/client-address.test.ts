import { describe, expect, test } from 'vitest';
import { type Network, parseNetworks } from '../../networks/index.ts';
import { clientAddress, clientKey } from './client-address.ts';

const TRUSTED = networks('10.0.0.0/8, 2001:db8:ffff::/48, 192.0.2.7');

describe('the client address', () => {
  test.each<[string, string, string | undefined, string]>([
    ['is the peer when nothing is forwarded', '203.0.113.5', undefined, '203.0.113.5'],
    ['is the peer when the peer is not trusted', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['is named by a trusted peer', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['is the rightmost untrusted one', '10.0.0.1', '1.1.1.1, 198.51.100.1,10.9.9.9', '198.51.100.1'],
    ['ignores addresses invented by the client', '10.0.0.1', '10.0.0.9, 10.0.0.8, 198.51.100.1', '198.51.100.1'],
    ['is the leftmost when all are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['stops before an invalid address', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['stops before octal notation', '10.0.0.1', '010.0.0.1', '10.0.0.1'],
    ['stops before an empty entry', '10.0.0.1', '198.51.100.1,', '10.0.0.1'],
    ['is the peer when the header is empty', '10.0.0.1', '', '10.0.0.1'],
    ['has no port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['has no port and brackets', '10.0.0.1', '[2001:db8::5]:4711', '2001:db8::5'],
    ['treats IPv4-mapped peers as IPv4', '::ffff:10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['accepts IPv6 proxies', '2001:db8:ffff::1', '2001:db8::5', '2001:db8::5'],
    ['accepts single addresses as proxies', '192.0.2.7', '198.51.100.1', '198.51.100.1'],
    ['does not mix families', '::a00:1', '198.51.100.1', '::a00:1'],
  ])('%s', (_promise, remoteAddress, forwardedFor, expected) => {
    expect(clientAddress(remoteAddress, forwardedFor, TRUSTED)).toBe(expected);
  });

  test('is the peer when no proxy is trusted', () => {
    expect(clientAddress('::ffff:10.0.0.1', '198.51.100.1', [])).toBe('10.0.0.1');
  });
});

describe('the key of a client', () => {
  test.each([
    ['203.0.113.5', '203.0.113.5'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::ffff:cb00:7105', '203.0.113.5'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
    ['not:an:address', 'not:an:address'],
  ])('of %s is %s', (address, key) => {
    expect(clientKey(address)).toBe(key);
  });
});

describe('the list of trusted networks', () => {
  test('treats IPv4-mapped networks as IPv4', () => {
    expect(clientAddress('10.1.1.1', '198.51.100.1', networks('::ffff:10.0.0.0/104'))).toBe('198.51.100.1');
  });

  test('is empty without a value', () => {
    expect(networks(' ')).toEqual([]);
  });

  test.each(['10.0.0.0/33', '2001:db8::/129', '10.0.0.0/', 'localhost', '10.0.0.0/8/8', '10/8', '1.2.3.4/-1'])(
    'is refused with an explanation: %s',
    (text) => {
      const problem = `"${text}" is neither an IP address nor a network such as 10.0.0.0/8`;
      expect(parseNetworks(`10.0.0.1, ${text}`)).toEqual({ ok: false, problems: [problem] });
    },
  );
});

function networks(text: string): readonly Network[] {
  const parsed = parseNetworks(text);
  if (!parsed.ok) {
    throw new Error(parsed.problems.join());
  }
  return parsed.networks;
}
