import { describe, expect, it } from 'vitest';
import { findRedirectUriFault, judgeRedirectUri } from './redirect-uri-rules.ts';

describe('judgeRedirectUri', () => {
  it.each([
    'https://example.com',
    'https://example.com/',
    'https://example.com/callback',
    'https://app.example.com:8443/a/b?tenant=1&x=%2Fy',
    'https://example.com/callback?next=https://other.example/',
    'https://xn--bcher-kva.example/callback',
    'https://192.0.2.7/callback',
    'https://[2001:db8::1]/callback',
    'https://localhost/callback',
    'https://example.com/a%20b',
    'https://example.com/%E4%BD%A0',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:51004/callback',
    'http://[::1]:3000/callback',
    'http://localhost:3000/callback',
    'http://localhost:3000',
  ])('accepts %s for every app', (uri) => {
    expect(judgeRedirectUri(uri, true)).toBeUndefined();
    expect(judgeRedirectUri(uri, false)).toBeUndefined();
  });

  it.each(['com.example.app:/callback', 'com.example.my-app:/', 'com.example.app://callback', 'io.a1:/x?y=z'])(
    'accepts %s only for a public app',
    (uri) => {
      expect(judgeRedirectUri(uri, false)).toBeUndefined();
      expect(judgeRedirectUri(uri, true)?.reason).toBe('scheme');
    },
  );

  it.each([
    ['', 'format'],
    [' https://example.com/', 'format'],
    ['https://example.com/a b', 'format'],
    ['https://example.com/\t', 'format'],
    ['https://exa\nmple.com/', 'format'],
    ['java\tscript:alert(1)', 'format'],
    ['https://example.com/\u0000', 'format'],
    ['https://example.com\\@evil.example/', 'format'],
    ['https:\\\\example.com/', 'format'],
    ['https://bücher.example/callback', 'format'],
    ['https://еxample.com/', 'format'],
    ['https://example。com/', 'format'],
    ['https://example.com/\u202Egnp', 'format'],
    ['https://example.com/\uD800', 'format'],
    ['https://example.com/100%', 'format'],
    ['https://example.com/%zz', 'format'],
    ['https://example.com/<script>', 'format'],
    ['https://example.com/"onload="', 'format'],
    ['https://example.com/{tenant}', 'format'],
    ['https://example.com/^`|', 'format'],
    ['callback', 'not_absolute'],
    ['/callback', 'not_absolute'],
    ['//example.com/callback', 'not_absolute'],
    ['https://', 'not_absolute'],
    ['https://example.com:99999/', 'not_absolute'],
    ['https://[::1', 'not_absolute'],
    ['https://999.1.1.1/', 'not_absolute'],
    ['https://exa%00mple.com/', 'not_absolute'],
    ['https://example.com/callback#', 'fragment'],
    ['https://example.com/callback#token', 'fragment'],
    ['https://a@b', 'credentials'],
    ['https://a:b@example.com/', 'credentials'],
    ['https://@example.com/', 'credentials'],
    ['https://:@example.com/', 'credentials'],
    ['https://example.com@evil.example/', 'credentials'],
    ['com.example.app://user@host/', 'credentials'],
    ['https://*.example.com/callback', 'wildcard'],
    ['https://example.com/*', 'wildcard'],
    ['http://example.com/callback', 'not_https'],
    ['http://localhost.evil.com/callback', 'not_https'],
    ['http://127.0.0.1.evil.com/callback', 'not_https'],
    ['http://localhost./callback', 'not_https'],
    ['http://127.0.0.2/callback', 'not_https'],
    ['http://0.0.0.0/callback', 'not_https'],
    ['http://[::ffff:127.0.0.1]/callback', 'not_https'],
    ['javascript:alert(1)', 'scheme'],
    ['JavaScript:alert(1)', 'scheme'],
    ['javascript://example.com/%0Aalert(1)', 'scheme'],
    ['data:text/html,hello', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['vbscript:x', 'scheme'],
    ['blob:https://example.com/1', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['ws://example.com/', 'scheme'],
    ['about:blank', 'scheme'],
    ['urn:ietf:wg:oauth:2.0:oob', 'scheme'],
    ['myapp:/callback', 'scheme'],
    ['myapp.:/callback', 'scheme'],
    ['com..example:/callback', 'scheme'],
    ['web+com.example:/callback', 'scheme'],
    ['HTTPS://example.com/', 'not_normalized'],
    ['https://EXAMPLE.com/', 'not_normalized'],
    ['https://exa%6Dple.com/', 'not_normalized'],
    ['https://example.com:443/', 'not_normalized'],
    ['http://localhost:80/', 'not_normalized'],
    ['http://127.1/', 'not_normalized'],
    ['http://0x7f000001/', 'not_normalized'],
    ['http://2130706433/', 'not_normalized'],
    ['http://[0:0:0:0:0:0:0:1]/', 'not_normalized'],
    ['https://example.com/a/../b', 'not_normalized'],
    ['https://example.com/%2e%2e/b', 'not_normalized'],
    ['https://example.com/./', 'not_normalized'],
    ['https:example.com/', 'not_normalized'],
    ['https:/example.com/', 'not_normalized'],
    ['https:///example.com/', 'not_normalized'],
    ['https://example.com?x=1', 'not_normalized'],
    ['Com.Example.App:/callback', 'not_normalized'],
    ['com.example.app:callback', 'not_normalized'],
    ['com.example.app:/a/../b', 'not_normalized'],
  ])('refuses %j: %s', (uri, reason) => {
    expect(judgeRedirectUri(uri, false)?.reason).toBe(reason);
  });
});

describe('findRedirectUriFault', () => {
  it('names the position of the first fault, and refuses a duplicate URI', () => {
    const good = 'https://example.com/callback';
    expect(findRedirectUriFault([good], true)).toBeUndefined();
    expect(findRedirectUriFault([good, 'https://example.com/'], true)).toBeUndefined();
    expect(findRedirectUriFault([good, 'http://example.com/'], true)).toMatchObject({ place: 1, reason: 'not_https' });
    expect(findRedirectUriFault([good, good], true)).toMatchObject({ place: 1, reason: 'duplicate' });
  });
});
