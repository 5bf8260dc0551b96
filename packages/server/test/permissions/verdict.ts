import type { ApiAnswer } from '../harness/api-client.ts';
import type { Caller } from './callers.ts';
import type { Demand, Role } from './permission-table.ts';
import { SCOPES } from './permission-world.ts';

/** An answer as far as permission goes. */
export type Verdict = 'allowed' | Record<string, unknown>;

const INCLUDED: Readonly<Record<Role, readonly Role[]>> = {
  member: ['member'],
  billing: ['member', 'billing'],
  admin: ['member', 'billing', 'admin'],
};

/** What the table makes of a caller. */
export function expectedOf(demand: Demand, caller: Caller): Verdict {
  if (!demand.token) {
    return 'allowed';
  }
  if (caller.kind === 'nobody' || caller.kind === 'expired') {
    return { status: 401, code: caller.kind === 'expired' ? 'token_expired' : 'invalid_token', challenge: 'Bearer' };
  }
  if (demand.operatorOnly === true || caller.kind === 'operator') {
    return verdictWithOperator(demand, caller);
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

/** The operator's token and the members' have nothing in common: where one is allowed, the other is refused. */
function verdictWithOperator({ operatorOnly, sessionOnly, scope }: Demand & { token: true }, caller: Caller): Verdict {
  if (operatorOnly === true && caller.kind === 'operator') {
    return 'allowed';
  }
  if (sessionOnly === true || scope === undefined) {
    return { status: 403, code: 'forbidden', details: { required_token: 'session' } };
  }
  return { status: 403, code: 'insufficient_scope', details: { required_scope: scope }, names: scope };
}

const REFUSALS = ['invalid_token', 'token_expired', 'forbidden', 'insufficient_scope'];

/**
 * A request that passed the permission check counts as allowed, even if its empty body or unknown identifier was
 * refused.
 */
export function verdictOf({ status, headers, body }: ApiAnswer): Verdict {
  const error = body?.error;
  if (status < 500 && !REFUSALS.includes(error?.code)) {
    return 'allowed';
  }
  const { code, details } = error ?? {};
  if (code === 'insufficient_scope') {
    return { status, code, details, names: [...SCOPES, 'operator'].find((scope) => error.message.includes(scope)) };
  }
  const challenge = headers.get('www-authenticate')?.split(' ')[0];
  return status === 401 ? { status, code, challenge } : { status, code, details };
}
