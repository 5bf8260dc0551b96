import type { Queries } from '../../database/index.ts';
import type { Principal, TokenOutcome } from '../../http/index.ts';
import { findOrganizationClock } from '../../organizations/index.ts';

/**
 * Lets staff or an operator token act for an organization that they are not a member of: as its admin, within the staff
 * role (`requireAccess`). Such requests are rare, so the organization is looked up separately from the token.
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
  // First, so that a password alone does not reveal which organizations exist.
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
      // Staff serve many customers, regardless of their plans.
      tier: 'enterprise',
      acting: { type, staffRole: staff.role },
    },
  };
}
