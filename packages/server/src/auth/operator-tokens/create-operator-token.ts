import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { httpError, type StaffRole } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { parseExpiry } from '../parse-expiry.ts';
import { presentOperatorToken } from './present-operator-token.ts';
import { insertOperatorToken } from './queries.ts';
import type { OperatorToken } from './schemas.ts';

/**
 * Creates an operator token. Only the answer contains the secret, which is not stored. Throws `validation_failed` for an empty
 * name or an expiry in the past, and `invalid_request` for an expiry that is not a valid time.
 */
export async function createOperatorToken(
  database: Queries,
  actor: AuditActor,
  terms: { name: string; role: StaffRole; expiresAt: string | null },
): Promise<OperatorToken & { token: string }> {
  const name = terms.name.trim();
  if (name === '' || name.length > MAX_NAME || name.includes('\0')) {
    throw refuse('name', 'length', `The name must be 1 to ${MAX_NAME} characters.`);
  }
  const expiresAt = parseExpiry(terms.expiresAt);
  const token = newToken(TOKEN_PREFIXES.operator);
  const made = await database.transaction(async (tx) => {
    const row = await insertOperatorToken(tx, {
      id: newId('operatorToken'),
      hash: hashToken(token),
      name,
      role: terms.role,
      createdBy: actor.userId ?? actor.credentialId,
      prefix: token.slice(0, SHOWN_CHARACTERS),
      expiresAt,
    });
    if (row === undefined) {
      throw refuse('expires_at', 'past', 'The expiry must be in the future.');
    }
    await recordAudit(tx, actor, {
      action: 'operator_token.created',
      targetType: 'operator_token',
      targetId: row.id,
      after: { name: row.name, role: row.role, expires_at: row.expires_at?.toISOString() ?? null },
    });
    return presentOperatorToken(row);
  });
  return { ...made, token };
}

const MAX_NAME = 100;
/** Its prefix, and four characters that distinguish it. */
const SHOWN_CHARACTERS = TOKEN_PREFIXES.operator.length + 4;

function refuse(field: string, reason: string, message: string) {
  return httpError('validation_failed', message, { details: { field, reason } });
}
