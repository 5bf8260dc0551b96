import type { Queries } from '../../database/index.ts';
import { type ApiError, httpError } from '../../http/index.ts';
import { findFirstMembership } from '../../organizations/index.ts';
import {
  decryptText,
  deriveKey,
  encryptText,
  hashToken,
  isWellFormedToken,
  newToken,
  TOKEN_PREFIXES,
} from '../../security/index.ts';
import { lockUserById } from '../../users/index.ts';
import { endLoginSession } from './end-login-session.ts';
import { findStartingOrganization } from './log-in.ts';
import type { LoginTools } from './login-tools.ts';
import { notifyOfReuse, type RefreshContext } from './notify-of-reuse.ts';
import { findRefreshToken, insertSuccessors, lockLoginSessionByRefreshToken, type RefreshTokenRow } from './queries.ts';
import { decideRefresh, type RefreshDecision } from './refresh-rules.ts';
import type { SessionTokens } from './schemas.ts';

/** What a refresh needs besides the request. */
export type RefreshTools = Pick<LoginTools, 'lifetimes' | 'mailer'>;

/**
 * Exchanges a refresh token for new tokens. Concurrent requests all get the same successor and response; a used token
 * that comes later than that ends the whole login.
 */
export async function refreshSession(
  context: RefreshContext,
  tools: RefreshTools,
  refreshToken: string,
): Promise<SessionTokens> {
  if (!isWellFormedToken(refreshToken)) {
    throw unusableRefreshToken();
  }
  const hash = hashToken(refreshToken);
  // A refusal is a return value here, not an exception: ending the login of a stolen token has to be committed.
  const tokens = await context.database.transaction(async (tx) => {
    await lockLoginSessionByRefreshToken(tx, { hash });
    // A separate statement, so that it reads rows and time after the wait for the lock.
    const row = await findRefreshToken(tx, { hash });
    if (row === undefined) {
      return undefined;
    }
    const decision = decideRefresh(row, tools.lifetimes);
    return decision.kind === 'reuse' ? endReused(tx, context, tools, row) : act(tx, refreshToken, row, decision);
  });
  if (tokens === undefined) {
    throw unusableRefreshToken();
  }
  return tokens;
}

async function act(
  tx: Queries,
  refreshToken: string,
  row: RefreshTokenRow,
  decision: Exclude<RefreshDecision, { kind: 'reuse' }>,
): Promise<SessionTokens | undefined> {
  switch (decision.kind) {
    case 'rotate':
      await requireHome(tx, row.user_id);
      return rotate(tx, refreshToken, row, decision);
    case 'repeat':
      return decryptAnswer(refreshToken, decision.answer);
    case 'refuse':
      return undefined;
  }
}

async function endReused(
  tx: Queries,
  context: RefreshContext,
  { mailer }: RefreshTools,
  { user_id: userId, login_session_id: id }: RefreshTokenRow,
): Promise<undefined> {
  if (await endLoginSession(tx, userId, id)) {
    await notifyOfReuse(tx, context, mailer, { userId, id });
  }
}

async function rotate(
  tx: Queries,
  refreshToken: string,
  row: RefreshTokenRow,
  { accessExpiresAt, refreshExpiresAt }: Extract<RefreshDecision, { kind: 'rotate' }>,
): Promise<SessionTokens> {
  const tokens = {
    access_token: newToken(TOKEN_PREFIXES.sessionAccess),
    refresh_token: newToken(TOKEN_PREFIXES.sessionRefresh),
    expires_at: accessExpiresAt.toISOString(),
  };
  await insertSuccessors(tx, {
    hash: hashToken(refreshToken),
    usedAt: row.read_at,
    userId: row.user_id,
    loginSessionId: row.login_session_id,
    organizationId: row.organization_id,
    accessHash: hashToken(tokens.access_token),
    accessExpiresAt,
    refreshHash: hashToken(tokens.refresh_token),
    refreshExpiresAt,
    answer: encryptAnswer(refreshToken, tokens),
  });
  return tokens;
}

/**
 * A user who has left their last organization gets a new one, as at login; otherwise the new tokens would be useless.
 */
async function requireHome(tx: Queries, userId: string): Promise<void> {
  if ((await findFirstMembership(tx, { userId })) === undefined) {
    const user = await lockUserById(tx, { userId });
    if (user !== undefined) {
      await findStartingOrganization(tx, user);
    }
  }
}

/**
 * Only the holder of the old token can read the response: it cannot be decrypted with the database and the server's
 * keys.
 */
function encryptAnswer(refreshToken: string, tokens: SessionTokens): Buffer {
  return encryptText(deriveKey(refreshToken, ANSWER_PURPOSE), ANSWER_PURPOSE, JSON.stringify(tokens));
}

function decryptAnswer(refreshToken: string, answer: Buffer): SessionTokens {
  return JSON.parse(decryptText(deriveKey(refreshToken, ANSWER_PURPOSE), ANSWER_PURPOSE, answer));
}

const ANSWER_PURPOSE = 'refresh-answer';

/** Expired or used, unknown or revoked: in each case the user has to log in again, so there is only one error. */
function unusableRefreshToken(): ApiError {
  return httpError(
    'invalid_token',
    'The refresh token is invalid: it was already used, was revoked, or has expired. Log in again.',
  );
}
