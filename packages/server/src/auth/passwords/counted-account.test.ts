import { describe, expect, it } from 'vitest';
import type { Principal } from '../../http/index.ts';
import { countedAccount, countedPasswordChange, countedUser } from './counted-account.ts';

describe('countedAccount', () => {
  it.each([
    ['{"email":" Ada@Example.com ","password":"x"}', 'ada@example.com'],
    ['{"email":"ada@example.com"}', 'ada@example.com'],
    ['{"email":"ada@example.com","surprise":[1,{"deep":null}]}', 'ada@example.com'],
    ['{"email":"eve@example.com","email":"ada@example.com"}', 'ada@example.com'],
    // Mathematical letters take two units each and fold to ASCII: even the longest address must be counted.
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
  ])('finds no account in %j', (body) => {
    expect(countedAccount(Buffer.from(body))).toBeUndefined();
  });

  it('finds no account without a body', () => {
    expect(countedAccount(undefined)).toBeUndefined();
  });
});

const ADA: Principal = {
  userId: 'usr_ada',
  organizationId: 'org_ada',
  role: 'member',
  tokenKind: 'session',
  tokenSourceId: 'login_ada',
  scopes: 'all',
  clockOffsetMs: 0,
  tier: 'free',
};

describe('checks of one’s own password', () => {
  it('are counted per user across organizations, and not counted without a token', () => {
    expect(countedUser(undefined, ADA)).toBe('user:usr_ada');
    expect(countedUser(undefined, { ...ADA, organizationId: 'org_other' })).toBe('user:usr_ada');
    expect(countedUser(undefined, undefined)).toBeUndefined();
  });

  it.each([
    ['{"password":"x","current_password":"y"}', 'user:usr_ada'],
    ['{"current_password":7}', 'user:usr_ada'],
    ['{"name":"Ada"}', undefined],
    ['{"name":', undefined],
  ])('include a profile change %s only if it has the current password', (body, account) => {
    expect(countedPasswordChange(Buffer.from(body), ADA)).toBe(account);
    expect(countedPasswordChange(Buffer.from(body), undefined)).toBeUndefined();
  });
});
