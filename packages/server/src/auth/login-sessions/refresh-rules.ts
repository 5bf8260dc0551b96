import type { TokenLifetimes } from './login-tools.ts';
import type { RefreshTokenRow } from './queries.ts';

/** How to answer a presented refresh token. */
export type RefreshDecision =
  | { kind: 'rotate'; accessExpiresAt: Date; refreshExpiresAt: Date }
  /** It was first used a moment ago: repeat the response, because the first one may have been lost. */
  | { kind: 'repeat'; answer: Buffer }
  /** It was used long ago, so two parties have it: the sender, and the one with its successor. */
  | { kind: 'reuse' }
  | { kind: 'refuse' };

/** How long the old token gets the identical response again. */
const REPEAT_MS = 10_000;

/** Decides by the times in the row, all of them the database's. Each refresh slides the expiry, never past the login's end. */
export function decideRefresh(token: RefreshTokenRow, lifetimes: TokenLifetimes): RefreshDecision {
  const nowMs = token.read_at.getTime();
  if (token.has_ended) {
    return { kind: 'refuse' };
  }
  if (token.used_at !== null) {
    const isFresh = nowMs - token.used_at.getTime() <= REPEAT_MS;
    return isFresh && token.answer !== null ? { kind: 'repeat', answer: token.answer } : { kind: 'reuse' };
  }
  if (token.expires_at.getTime() <= nowMs) {
    return { kind: 'refuse' };
  }
  const within = (seconds: number) => new Date(Math.min(nowMs + seconds * 1000, token.ends_at.getTime()));
  return {
    kind: 'rotate',
    accessExpiresAt: within(lifetimes.accessTokenTtlSeconds),
    refreshExpiresAt: within(lifetimes.refreshTokenTtlSeconds),
  };
}
