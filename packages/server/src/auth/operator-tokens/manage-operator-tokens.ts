import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { type OperatorToken, presentOperatorToken } from './present-operator-token.ts';
import { listOperatorTokenRows, updateOperatorTokenRevoked } from './queries.ts';

/** The newest operator tokens, at most a thousand, with any status. */
export async function listOperatorTokens(database: Queries): Promise<OperatorToken[]> {
  return (await listOperatorTokenRows(database, { limit: MOST_SHOWN })).map(presentOperatorToken);
}

/** Revokes an operator token: its next request is refused. Doing it twice changes nothing. Throws `not_found`. */
export async function revokeOperatorToken(database: Queries, id: string): Promise<OperatorToken> {
  const row = await updateOperatorTokenRevoked(database, { id });
  if (row === undefined) {
    throw notFound('operator_token');
  }
  return presentOperatorToken(row);
}

const MOST_SHOWN = 1_000;
