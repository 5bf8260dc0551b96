import type { Queries } from '../../database/index.ts';
import { httpError, type StaffRole } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { type OperatorToken, presentOperatorToken } from './present-operator-token.ts';
import { insertOperatorToken } from './queries.ts';

/**
 * Creates an operator token; only the answer holds the secret, which is not kept. `createdBy` is null for the command on the
 * server's machine. Throws `validation_failed` for an empty name or an expiry in the past.
 */
export async function createOperatorToken(
  database: Queries,
  terms: { name: string; role: StaffRole; expiresAt: Date | null; createdBy?: string | null },
): Promise<OperatorToken & { token: string }> {
  const name = terms.name.trim();
  if (name === '' || name.length > MAX_NAME || name.includes('\0')) {
    throw refuse('name', 'length', `The name must be 1 to ${MAX_NAME} characters.`);
  }
  const token = newToken(TOKEN_PREFIXES.operator);
  const row = await insertOperatorToken(database, {
    id: newId('operatorToken'),
    hash: hashToken(token),
    name,
    role: terms.role,
    createdBy: terms.createdBy ?? null,
    prefix: token.slice(0, SHOWN_CHARACTERS),
    expiresAt: terms.expiresAt,
  });
  if (row === undefined) {
    throw refuse('expires', 'past', 'The expiry must be in the future.');
  }
  return { ...presentOperatorToken(row), token };
}

const MAX_NAME = 100;
/** Its prefix, and four characters that tell it from others. */
const SHOWN_CHARACTERS = TOKEN_PREFIXES.operator.length + 4;

function refuse(field: string, reason: string, message: string) {
  return httpError('validation_failed', message, { details: { field, reason } });
}
