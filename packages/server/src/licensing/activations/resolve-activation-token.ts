import { randomBytes } from 'node:crypto';
import type { Queries } from '../../database/index.ts';
import type { TokenOutcome, TokenResolver } from '../../http/index.ts';
import { hashToken, isWellFormedToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { findActivationByToken, updateLeakedActivation } from './queries.ts';

/** Resolves activation tokens, and passes all other tokens to `others`. */
export function withActivationTokens(database: Queries, others: TokenResolver): TokenResolver {
  return {
    resolve: (token, organizationId) =>
      isActivationToken(token)
        ? resolveActivationToken(database, token, organizationId)
        : others.resolve(token, organizationId),
    recall: (token, organizationId) => (isActivationToken(token) ? undefined : others.recall(token, organizationId)),
    revokeLeaked: async (token) =>
      isActivationToken(token)
        ? (await updateLeakedActivation(database, { tokenHash: hashToken(token), unknownHash: randomBytes(32) })) > 0
        : others.revokeLeaked(token),
  };
}

function isActivationToken(token: string): boolean {
  return token.startsWith(TOKEN_PREFIXES.activation);
}

async function resolveActivationToken(
  database: Queries,
  token: string,
  organizationId: string | undefined,
): Promise<TokenOutcome> {
  const tokenHash = hashToken(token);
  const row = isWellFormedToken(token) ? await findActivationByToken(database, { tokenHash }) : undefined;
  if (row === undefined) {
    return { kind: 'invalid' };
  }
  if (organizationId !== undefined && organizationId !== row.organization_id) {
    return { kind: 'foreign-organization' };
  }
  return {
    kind: 'valid',
    principal: {
      // An activation holds seats like a user, so its identifier takes the place of the user's.
      userId: row.id,
      organizationId: row.organization_id,
      role: 'member',
      tokenKind: 'activation',
      tokenSourceId: row.id,
      scopes: ['read:licenses', 'manage:licenses'],
      clockOffsetMs: row.clock_offset_ms,
      tier: row.tier,
      activation: { licenseId: row.license_id, hardwareId: row.hardware_id },
      ...(row.is_suspended ? { isSuspended: true as const } : {}),
    },
  };
}
