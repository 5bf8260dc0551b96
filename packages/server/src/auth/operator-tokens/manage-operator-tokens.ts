import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { type OperatorToken, presentOperatorToken } from './present-operator-token.ts';
import { listOperatorTokenRows, revokeOperatorTokenRow } from './queries.ts';

/** The newest operator tokens, at most a thousand, with any status. */
export async function listOperatorTokens(database: Queries): Promise<OperatorToken[]> {
  return (await listOperatorTokenRows(database, MOST_SHOWN)).map(presentOperatorToken);
}

/** Ends an operator token: it is refused at its next request. Once more changes nothing. Throws not_found. */
export async function revokeOperatorToken(database: Queries, id: string): Promise<OperatorToken> {
  const row = await revokeOperatorTokenRow(database, id);
  if (row === undefined) {
    throw notFound('operator_token');
  }
  return presentOperatorToken(row);
}

const MOST_SHOWN = 1_000;
