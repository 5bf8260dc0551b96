import { afterAll, describe, expect, it } from 'vitest';
import { createSender, type Sender } from './sender.ts';

/** The answers of these tests' name servers. */
const ZONE: Readonly<Record<string, readonly string[]>> = {
  'good.test': ['93.184.216.34', '2606:2800:220:1::1'],
  'private.test': ['10.0.0.1'],
  'mapped.test': ['::ffff:169.254.169.254'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'metadata.test': ['fd00:ec2::254'],
  'public-first.test': ['93.184.216.34', '127.0.0.1'],
  'private-last.test': ['93.184.216.34', '93.184.216.35', '::1'],
  'garbage.test': ['93.184.216.34', 'not an address'],
};

const asked: string[] = [];
const senders: Sender[] = [];

function open(options: Partial<Parameters<typeof createSender>[0]> = {}): Sender {
  const sender = createSender({
    timeoutMs: 60_000,
    allowNetworks: [],
    resolve: async (hostname) => {
      asked.push(hostname);
      const found = ZONE[hostname];
      if (found === undefined) {
        throw new Error('no such name');
      }
      return found;
    },
    ...options,
  });
  senders.push(sender);
  return sender;
}

const { checkUrl, send } = open();

afterAll(() => Promise.all(senders.map((sender) => sender.close())));

describe('an endpoint may be', () => {
  it.each([
    'https://good.test',
    'https://good.test:8443/hook?a=b',
    'https://good.test./hook',
    'https://93.184.216.34/hook',
    'https://[2606:2800:220:1::1]/hook',
    'https://unknown.test/hook',
    'HTTPS://GOOD.TEST/hook',
  ])('at %s', async (url) => {
    expect(await checkUrl(url)).toBeUndefined();
  });
});

describe('an endpoint may not be', () => {
  it.each([
    ['', 'not_a_url'],
    ['good.test', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https://good.test/a b', 'not_a_url'],
    ['https://good.test../', 'not_a_url'],
    ['https://good..test/', 'not_a_url'],
    ['https://localhost../', 'not_a_url'],
    ['https://./', 'not_a_url'],
    [' https://good.test', 'not_a_url'],
    ['https://good.test/\n', 'not_a_url'],
    ['https://good\t.test/', 'not_a_url'],
    ['https://good.test/\0', 'not_a_url'],
    ['https://1.2.3.256/', 'not_a_url'],
    ['https://[fe80::1%25eth0]/', 'not_a_url'],
    ['https://[::1/', 'not_a_url'],
    ['http://good.test', 'https_required'],
    ['ftp://good.test', 'https_required'],
    ['file:///etc/passwd', 'https_required'],
    ['data:text/plain,a', 'https_required'],
    ['https://user:password@good.test', 'credentials'],
    ['https://user@good.test', 'credentials'],
    ['https://:password@good.test', 'credentials'],
    ['https://good.test/#part', 'fragment'],
    ['https://good.test/#', 'fragment'],
    [`https://good.test/${'a'.repeat(2_000)}`, 'too_long'],
    [`https://good.test/${'ä'.repeat(500)}`, 'too_long'],
  ])('%j: %s', async (url, refusal) => {
    expect(await checkUrl(url)).toBe(refusal);
  });
});

const LITERALS = [
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://0/',
  'https://0x0.0x0/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b:1::127.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:53aa:64c::1]/',
  'https://[::5efe:127.0.0.1]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0251.0376.0251.0376/',
  'https://2852039166/',
  'https://168.63.129.16/',
  'https://255.255.255.255/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://any.localhost/',
  'https://any.localhost.:8443/',
];

describe('a literal of a forbidden address', () => {
  it.each(LITERALS)('%s is refused when it is registered, and again when it is sent to', async (url) => {
    const before = asked.length;
    expect(await checkUrl(url)).toBe('forbidden_address');
    expect(await send({ url, headers: {}, body: '' })).toMatchObject({
      statusCode: null,
      error: 'forbidden_address',
      address: null,
      responseExcerpt: null,
    });
    expect(asked.length).toBe(before);
  });
});

describe('a name of a forbidden address', () => {
  it.each([
    'private.test',
    'mapped.test',
    'nat64.test',
    'metadata.test',
    'public-first.test',
    'private-last.test',
    'garbage.test',
  ])('%s is refused when it is registered, and again when it is sent to', async (name) => {
    expect(await checkUrl(`https://${name}/`)).toBe('forbidden_address');
    expect(await send({ url: `https://${name}/`, headers: {}, body: '' })).toMatchObject({
      statusCode: null,
      error: 'forbidden_address',
      address: null,
    });
  });

  it('is refused if it became one only after it was registered', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const sender = open({ resolve: async () => answers.shift() ?? [] });
    expect(await sender.checkUrl('https://turning.test/')).toBeUndefined();
    expect(await sender.send({ url: 'https://turning.test/', headers: {}, body: '' })).toMatchObject({
      error: 'forbidden_address',
    });
  });
});

describe('a name that does not resolve', () => {
  it('fails the attempt with dns_error, and so does one without an address or with a thousand', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `93.184.${at >> 8}.${at & 255}`);
    const sender = open({ resolve: async (name) => (name === 'many.test' ? many : []) });
    for (const url of ['https://none.test/', 'https://many.test/']) {
      expect(await sender.send({ url, headers: {}, body: '' })).toMatchObject({ error: 'dns_error', address: null });
    }
    expect(await send({ url: 'https://unknown.test/', headers: {}, body: '' })).toMatchObject({ error: 'dns_error' });
  });
});

describe('an attempt to an invalid endpoint', () => {
  it.each(['', 'http://93.184.216.34/', 'https://a:b@93.184.216.34/', 'javascript:0'])(
    '%j is not sent',
    async (url) => {
      expect(await send({ url, headers: {}, body: '' })).toMatchObject({
        statusCode: null,
        error: 'forbidden_address',
      });
    },
  );
});
