import { createOperatorToken, listOperatorTokens, revokeOperatorToken } from '../auth/index.ts';
import type { Installation } from './open-installation.ts';

/** Makes an operator token; the answer alone holds its secret. `expiresAt` is ISO 8601, undefined for never. */
export async function operatorCreateToken(installation: Installation, name: string, expiresAt: string | undefined) {
  return createOperatorToken(installation.database, {
    name,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
  });
}

/** The newest operator tokens, whatever became of them. */
export async function operatorListTokens(installation: Installation) {
  return listOperatorTokens(installation.database);
}

/** Ends an operator token at once. Throws not_found. */
export async function operatorRevokeToken(installation: Installation, id: string) {
  return revokeOperatorToken(installation.database, id);
}
