import { describe, expect, it } from 'vitest';
import type { BearerTokenRow } from './queries.ts';
import { judgeToken } from './resolve-token.ts';

function row(changes: Partial<BearerTokenRow>): BearerTokenRow {
  return {
    position: 1,
    kind: 'session',
    user_id: 'usr_1',
    source_id: 'login_1',
    home_organization_id: 'org_home',
    scopes: null,
    is_revoked: false,
    is_expired: false,
    expires_at: new Date(1_000),
    role: 'member',
    tier: 'pro',
    clock_offset_ms: 5,
    is_suspended: false,
    staff_role: null,
    passed_two_factor: false,
    ...changes,
  };
}

const NO_MEMBER = { role: null, tier: null, clock_offset_ms: null };

describe('judgeToken', () => {
  it('lets a session token act in its own organization with all scopes', () => {
    expect(judgeToken(row({}), undefined)).toEqual({
      kind: 'valid',
      principal: {
        userId: 'usr_1',
        organizationId: 'org_home',
        role: 'member',
        tokenKind: 'session',
        tokenSourceId: 'login_1',
        scopes: 'all',
        tier: 'pro',
        clockOffsetMs: 5,
      },
    });
  });

  it('lets a session token act in another organization of its user, and in no other', () => {
    expect(judgeToken(row({}), 'org_other')).toMatchObject({ principal: { organizationId: 'org_other' } });
    expect(judgeToken(row(NO_MEMBER), 'org_other')).toEqual({ kind: 'foreign-organization' });
    expect(judgeToken(row(NO_MEMBER), 'org_home')).toEqual({ kind: 'foreign-organization' });
  });

  it.each(['api', 'oauth'] as const)(
    'confines a token of kind %s to its own organization, which it may name',
    (kind) => {
      const token = row({ kind, source_id: 'tok_1', scopes: ['read:profile', 'gone:scope'] });
      expect(judgeToken(token, 'org_home')).toMatchObject({ kind: 'valid', principal: { scopes: ['read:profile'] } });
      expect(judgeToken(token, 'org_other')).toEqual({ kind: 'foreign-organization' });
    },
  );

  it('treats a token as invalid once it is revoked or its user has left', () => {
    expect(judgeToken(undefined, undefined)).toEqual({ kind: 'invalid' });
    expect(judgeToken(row({ is_revoked: true, is_expired: true }), undefined)).toEqual({ kind: 'invalid' });
    expect(judgeToken(row(NO_MEMBER), undefined)).toEqual({ kind: 'invalid' });
    expect(judgeToken(row({ kind: 'api', ...NO_MEMBER }), 'org_home')).toEqual({ kind: 'invalid' });
  });

  it('reports an expired token for any named organization', () => {
    const expired = { kind: 'expired', expiredAtMs: 1_000 };
    expect(judgeToken(row({ is_expired: true }), undefined)).toEqual(expired);
    expect(judgeToken(row({ is_expired: true, ...NO_MEMBER }), 'org_other')).toEqual(expired);
  });
});
