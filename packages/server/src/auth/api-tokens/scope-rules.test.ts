import { describe, expect, it } from 'vitest';
import { findMissingRole } from './scope-rules.ts';

describe('findMissingRole', () => {
  it('names the least role whose scopes hold all that are wanted', () => {
    expect(findMissingRole('member', ['read:licenses', 'admin:org'])).toBe('billing');
  });

  it('finds nothing missing where the role allows them', () => {
    expect(findMissingRole('member', ['read:licenses', 'manage:licenses', 'write:profile'])).toBeUndefined();
    expect(findMissingRole('admin', ['admin:org'])).toBeUndefined();
  });
});
