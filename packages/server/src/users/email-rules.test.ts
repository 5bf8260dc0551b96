import { describe, expect, it } from 'vitest';
import { parseEmail } from './email-rules.ts';

describe('parseEmail', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.Lovelace+seats@Example.COM ', 'ada.lovelace+seats@example.com'],
    ['ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
    ['J\u00fcrgen@b\u00fccher.de', 'j\u00fcrgen@b\u00fccher.de'],
    ['ju\u0308rgen@example.com', 'j\u00fcrgen@example.com'],
    [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
  ])('normalizes %j to %j', (text, email) => {
    expect(parseEmail(text)).toBe(email);
    expect(parseEmail(email)).toBe(email);
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'ada@example..com',
    'ada@-example.com',
    'ada@example-.com',
    'a da@example.com',
    'ada@exa mple.com',
    'ada@@example.com',
    'ada@example.com\nbcc: eve@example.com',
    '.ada@example.com',
    'ada.@example.com',
    '"ada lovelace"@example.com',
    'ada@[192.0.2.1]',
    `${'a'.repeat(243)}@example.com`,
  ])('refuses %j', (text) => {
    expect(parseEmail(text)).toBeUndefined();
  });

  it('refuses a long text without trying every way to parse it', () => {
    // Anything worse than linear time exceeds the test's timeout.
    expect(parseEmail(`${'a.'.repeat(10_000_000)}@`)).toBeUndefined();
    expect(parseEmail(`a@${'a-'.repeat(120)}`)).toBeUndefined();
  });
});
