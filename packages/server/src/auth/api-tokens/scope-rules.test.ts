import { describe, expect, it } from 'vitest';
import { findMissingRole } from './scope-rules.ts';

describe('findMissingRole', () => {
  it('names the lowest role that has all requested scopes', () => {
    expect(findMissingRole('member', ['read:licenses', 'admin:org'])).toBe('billing');
  });

  it('finds nothing missing if the role has them', () => {
    expect(findMissingRole('member', ['read:licenses', 'manage:licenses', 'write:profile'])).toBeUndefined();
    expect(findMissingRole('admin', ['admin:org'])).toBeUndefined();
  });
});
