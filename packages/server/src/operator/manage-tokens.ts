import { INSTALLATION, OPERATOR_COMMAND, recordAudit } from '../audit/index.ts';
import { createOperatorToken, listOperatorTokens, revokeOperatorToken } from '../auth/index.ts';
import type { StaffRole } from '../http/index.ts';
import type { Installation } from './connect-installation.ts';

/** Makes an operator token; the answer alone holds its secret. `expiresAt` is ISO 8601, undefined for never. */
export async function operatorCreateToken(
  installation: Installation,
  terms: { name: string; role: StaffRole; expiresAt?: string | undefined },
) {
  return installation.database.transaction(async (tx) => {
    const made = await createOperatorToken(tx, {
      name: terms.name,
      role: terms.role,
      expiresAt: terms.expiresAt === undefined ? null : new Date(terms.expiresAt),
    });
    await recordAudit(tx, COMMAND, {
      action: 'operator_token.created',
      targetType: 'operator_token',
      targetId: made.id,
      after: { name: made.name, role: made.role, expires_at: made.expires_at },
    });
    return made;
  });
}

/** The newest operator tokens, with any status. */
export async function operatorListTokens(installation: Installation) {
  return listOperatorTokens(installation.database);
}

/** Ends an operator token at once. Throws not_found. */
export async function operatorRevokeToken(installation: Installation, id: string) {
  return installation.database.transaction(async (tx) => {
    const revoked = await revokeOperatorToken(tx, id);
    await recordAudit(tx, COMMAND, {
      action: 'operator_token.revoked',
      targetType: 'operator_token',
      targetId: id,
      before: { name: revoked.name },
    });
    return revoked;
  });
}

const COMMAND = { ...OPERATOR_COMMAND, organizationId: INSTALLATION };
