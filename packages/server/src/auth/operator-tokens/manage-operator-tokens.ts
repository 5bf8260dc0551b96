import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { presentOperatorToken } from './present-operator-token.ts';
import { listOperatorTokenRows, updateOperatorTokenRevoked } from './queries.ts';
import type { OperatorToken } from './schemas.ts';

/** The newest operator tokens, at most a thousand, with any status. */
export async function listOperatorTokens(database: Queries): Promise<OperatorToken[]> {
  return (await listOperatorTokenRows(database, { limit: MOST_SHOWN })).map(presentOperatorToken);
}

/** Revokes an operator token: its next request is refused. Idempotent. Throws `not_found`. */
export async function revokeOperatorToken(database: Queries, actor: AuditActor, id: string): Promise<OperatorToken> {
  return database.transaction(async (tx) => {
    const row = await updateOperatorTokenRevoked(tx, { id });
    if (row === undefined) {
      throw notFound('operator_token');
    }
    await recordAudit(tx, actor, {
      action: 'operator_token.revoked',
      targetType: 'operator_token',
      targetId: id,
      before: { name: row.name, role: row.role },
    });
    return presentOperatorToken(row);
  });
}

const MOST_SHOWN = 1_000;
