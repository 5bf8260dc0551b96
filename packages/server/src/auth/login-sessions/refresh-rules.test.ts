import { describe, expect, it } from 'vitest';
import type { RefreshTokenRow } from './queries.ts';
import { decideRefresh } from './refresh-rules.ts';

const NOW_MS = Date.parse('2026-11-02T10:00:00.000Z');
const DAY_MS = 86_400_000;
const LIFETIMES = { accessTokenTtlSeconds: 3600, refreshTokenTtlSeconds: 30 * 86_400 };

function token(changes: Partial<RefreshTokenRow>): RefreshTokenRow {
  return {
    user_id: 'usr_1',
    login_session_id: 'login_1',
    organization_id: 'org_1',
    ends_at: new Date(NOW_MS + 80 * DAY_MS),
    has_ended: false,
    expires_at: new Date(NOW_MS + 20 * DAY_MS),
    used_at: null,
    answer: null,
    read_at: new Date(NOW_MS),
    ...changes,
  };
}

const usedMsAgo = (ms: number) => token({ used_at: new Date(NOW_MS - ms), answer: Buffer.from('kept') });

describe('decideRefresh', () => {
  it('rotates a good token and slides the expiry', () => {
    expect(decideRefresh(token({}), LIFETIMES)).toEqual({
      kind: 'rotate',
      accessExpiresAt: new Date(NOW_MS + 3_600_000),
      refreshExpiresAt: new Date(NOW_MS + 30 * DAY_MS),
    });
  });

  it('never slides past the end of the login', () => {
    const endsAt = new Date(NOW_MS + 60_000);
    expect(decideRefresh(token({ ends_at: endsAt }), LIFETIMES)).toEqual({
      kind: 'rotate',
      accessExpiresAt: endsAt,
      refreshExpiresAt: endsAt,
    });
  });

  it('repeats the answer for ten seconds, and treats later reuse as theft', () => {
    expect(decideRefresh(usedMsAgo(0), LIFETIMES)).toEqual({ kind: 'repeat', answer: Buffer.from('kept') });
    expect(decideRefresh(usedMsAgo(10_000), LIFETIMES).kind).toBe('repeat');
    expect(decideRefresh(usedMsAgo(10_001), LIFETIMES).kind).toBe('reuse');
  });

  it('treats reuse of an expired token as theft, too', () => {
    const expired = { ...usedMsAgo(11_000), expires_at: new Date(NOW_MS - 1) };
    expect(decideRefresh(expired, LIFETIMES).kind).toBe('reuse');
  });

  it('refuses a token from the moment it expires, and any token of an ended login', () => {
    expect(decideRefresh(token({ expires_at: new Date(NOW_MS) }), LIFETIMES).kind).toBe('refuse');
    expect(decideRefresh(token({ has_ended: true }), LIFETIMES).kind).toBe('refuse');
    expect(decideRefresh({ ...usedMsAgo(1), has_ended: true }, LIFETIMES).kind).toBe('refuse');
  });
});
