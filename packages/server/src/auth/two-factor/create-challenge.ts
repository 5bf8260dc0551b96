import type { Queries } from '../../database/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { insertChallenge } from './challenge-queries.ts';

/** What a client gets instead of tokens if a second factor is required. */
export interface Challenge {
  challengeToken: string;
  expiresAt: Date;
}

/** Creates a challenge for the second factor, after a correct password. */
export async function createChallenge(tx: Queries, userId: string): Promise<Challenge> {
  const challengeToken = newToken(TOKEN_PREFIXES.challenge);
  const { expires_at: expiresAt } = await insertChallenge(tx, { tokenHash: hashToken(challengeToken), userId });
  return { challengeToken, expiresAt };
}
