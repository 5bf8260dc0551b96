import { describe, expect, it } from 'vitest';
import { countedAccount } from './counted-account.ts';

describe('countedAccount', () => {
  it.each([
    ['{"email":" Ada@Example.com ","password":"x"}', 'ada@example.com'],
    ['{"email":"ada@example.com"}', 'ada@example.com'],
    ['{"email":"ada@example.com","surprise":[1,{"deep":null}]}', 'ada@example.com'],
    ['{"email":"eve@example.com","email":"ada@example.com"}', 'ada@example.com'],
    // Mathematical letters take two units each and fold to ASCII: the longest address must not slip through uncounted.
    [`{"email":"${'\u{1d41a}'.repeat(242)}@example.com"}`, `${'a'.repeat(242)}@example.com`],
  ])('counts %j under %j', (body, account) => {
    expect(countedAccount(Buffer.from(body))).toBe(account);
  });

  it.each([
    '',
    'null',
    '[]',
    '"ada@example.com"',
    '{"email":5}',
    '{"email":"nobody"}',
    '{"email":',
    '{"mail":"a@b.de"}',
  ])('makes out no account in %j', (body) => {
    expect(countedAccount(Buffer.from(body))).toBeUndefined();
  });

  it('makes out no account without a body', () => {
    expect(countedAccount(undefined)).toBeUndefined();
  });
});
