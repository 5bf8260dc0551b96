import { INSTALLATION, OPERATOR_COMMAND } from '../audit/index.ts';
import { createOperatorToken, listOperatorTokens, revokeOperatorToken } from '../auth/index.ts';
import { addressesOf } from '../config/index.ts';
import type { StaffRole } from '../http/index.ts';
import type { Installation } from './connect-installation.ts';

/** Creates an operator token; only the result contains its secret. `expiresAt` is ISO 8601, undefined for never. */
export async function operatorCreateToken(
  installation: Installation,
  { name, role, expiresAt }: { name: string; role: StaffRole; expiresAt?: string | undefined },
) {
  return createOperatorToken(installation.database, COMMAND, { name, role, expiresAt: expiresAt ?? null });
}

/** The newest operator tokens, with any status. */
export async function operatorListTokens(installation: Installation) {
  return listOperatorTokens(installation.database);
}

/** Revokes an operator token immediately. Throws not_found. */
export async function operatorRevokeToken(installation: Installation, id: string) {
  return revokeOperatorToken(installation.database, COMMAND, id);
}

/** The base URL of this installation's service. */
export function operatorGetBaseUrl({ config }: Installation, environment: 'production' | 'sandbox'): string {
  return addressesOf(config, environment).baseUrl;
}

const COMMAND = { ...OPERATOR_COMMAND, organizationId: INSTALLATION };
