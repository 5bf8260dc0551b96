import type { Queries } from '../../database/index.ts';
import type { Principal, TokenOutcome } from '../../http/index.ts';
import { findOrganizationClock } from '../../organizations/index.ts';

/**
 * Lets staff or an operator token act for an organization that they are no member of: as its admin, within the staff role
 * (`requireAccess`). Few requests do, so the organization is looked up apart from the token.
 */
export async function actForOrganization(
  database: Queries,
  principal: Principal,
  organizationId: string,
): Promise<TokenOutcome> {
  const { staff } = principal;
  if (staff === undefined) {
    return { kind: 'foreign-organization' };
  }
  // First, so that a password alone does not tell which organizations there are.
  if (!staff.passedTwoFactor) {
    return { kind: 'without-two-factor' };
  }
  const clock = await findOrganizationClock(database, organizationId);
  if (clock === undefined) {
    return { kind: 'foreign-organization' };
  }
  const type = principal.tokenKind === 'operator' ? 'operator_token' : 'staff';
  return {
    kind: 'valid',
    principal: {
      ...principal,
      organizationId,
      role: 'admin',
      scopes: 'all',
      clockOffsetMs: clock.offsetMs,
      // The vendor's people serve many customers, whatever these have bought.
      tier: 'enterprise',
      acting: { type, staffRole: staff.role },
    },
  };
}
