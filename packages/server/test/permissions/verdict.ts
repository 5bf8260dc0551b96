import type { ApiAnswer } from '../harness/api-client.ts';
import type { Caller } from './callers.ts';
import type { Demand, Role, StaffRole } from './permission-table.ts';
import { SCOPES } from './permission-world.ts';

type MemberDemand = Extract<Demand, { role: Role }>;

/** The part of a response that concerns permission. */
export type Verdict = 'allowed' | Record<string, unknown>;

const INCLUDED: Readonly<Record<Role, readonly Role[]>> = {
  member: ['member'],
  billing: ['member', 'billing'],
  admin: ['member', 'billing', 'admin'],
};

/** The verdict on a caller that the table requires. */
export function expectedOf(demand: Demand, caller: Caller): Verdict {
  if (!demand.token) {
    return 'allowed';
  }
  if (caller.kind === 'nobody' || caller.kind === 'expired') {
    return { status: 401, code: caller.kind === 'expired' ? 'token_expired' : 'invalid_token', challenge: 'Bearer' };
  }
  if ('staff' in demand) {
    return verdictOnOperatorRoute(demand.staff, caller);
  }
  if (caller.acts === true) {
    return verdictOfActing(demand, caller);
  }
  if (caller.kind === 'operator') {
    return verdictOfProgram(demand);
  }
  if (caller.kind === 'portal' && demand.byPortal !== true) {
    return { status: 403, code: 'forbidden', details: undefined };
  }
  if (demand.sessionOnly === true && caller.kind !== 'session') {
    return { status: 403, code: 'forbidden', details: { required_token: 'session' } };
  }
  if (!INCLUDED[caller.role].includes(demand.role)) {
    return { status: 403, code: 'forbidden', details: { required_role: demand.role } };
  }
  if (demand.scope !== undefined && caller.scopes !== 'all' && !caller.scopes.includes(demand.scope)) {
    const details = { required_scope: demand.scope };
    return { status: 403, code: 'insufficient_scope', details, names: demand.scope };
  }
  return 'allowed';
}

const TWO_FACTOR_REQUIRED = { status: 403, code: 'two_factor_required', details: undefined };

const hasStaffRole = (has: StaffRole, needs: StaffRole) => [needs, 'owner'].includes(has) || needs === 'viewer';

/** What staff and their programs may do is for nobody else, whatever role they have in an organization. */
function verdictOnOperatorRoute(needs: StaffRole, { staff }: Caller): Verdict {
  if (staff === undefined) {
    return { status: 403, code: 'insufficient_scope', details: { required_scope: 'operator' }, names: 'operator' };
  }
  if (!staff.passedTwoFactor) {
    return TWO_FACTOR_REQUIRED;
  }
  return hasStaffRole(staff.role, needs)
    ? 'allowed'
    : { status: 403, code: 'forbidden', details: { required_role: needs } };
}

/** For staff who name an organization that they are not members of. */
function verdictOfActing({ acting, role }: MemberDemand, { staff }: Caller): Verdict {
  if (staff?.passedTwoFactor !== true) {
    return TWO_FACTOR_REQUIRED;
  }
  if (acting === 'self') {
    return { status: 404, code: 'not_found', details: { resource: 'organization' } };
  }
  if (acting === 'never') {
    return { status: 403, code: 'forbidden', details: { required_role: role } };
  }
  return staff.role === 'owner' || acting.includes(staff.role)
    ? 'allowed'
    : { status: 403, code: 'forbidden', details: { required_role: acting[0] } };
}

/** A program that does not name an organization acts in none. */
function verdictOfProgram({ sessionOnly, scope }: MemberDemand): Verdict {
  if (sessionOnly === true || scope === undefined) {
    return { status: 403, code: 'forbidden', details: { required_token: 'session' } };
  }
  return { status: 403, code: 'insufficient_scope', details: { required_scope: scope }, names: scope };
}

const REFUSALS = ['invalid_token', 'token_expired', 'forbidden', 'insufficient_scope', 'two_factor_required'];

/**
 * A request that passed the permission check counts as allowed, even if its empty body or unknown identifier was
 * refused.
 */
export function verdictOf({ status, headers, body }: ApiAnswer, demand: Demand): Verdict {
  const error = body?.error;
  // An operator route names its organization in its path, and the organization need not exist.
  const isOtherOrganization =
    !('staff' in demand) && error?.code === 'not_found' && error.details.resource === 'organization';
  if (status < 500 && !isOtherOrganization && !REFUSALS.includes(error?.code)) {
    return 'allowed';
  }
  const { code, details } = error ?? {};
  if (code === 'insufficient_scope') {
    return { status, code, details, names: [...SCOPES, 'operator'].find((scope) => error.message.includes(scope)) };
  }
  const challenge = headers.get('www-authenticate')?.split(' ')[0];
  return status === 401 ? { status, code, challenge } : { status, code, details };
}
