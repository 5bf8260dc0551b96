import { newToken } from '../../src/security/index.ts';
import { makeStaff } from '../harness/staff.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import type { Role, StaffRole } from './permission-table.ts';
import { type PermissionWorld, ROLES, SCOPES, STAFF_ROLES } from './permission-world.ts';

/** A caller of every route. These fields determine what they may do. */
export interface Caller {
  name: string;
  token: string | undefined;
  kind: 'session' | 'api' | 'oauth' | 'operator' | 'portal' | 'nobody' | 'expired';
  role: Role;
  /** Session tokens have all of them. */
  scopes: readonly string[] | 'all';
  /** Rights that a staff role adds. */
  staff?: { role: StaffRole; passedTwoFactor: boolean };
  /** The organization that their ordinary requests are about, if it is not the world's. */
  organizationId?: string;
  /** Whether they name the world's organization in the header without being a member. */
  acts?: boolean;
}

/** All callers: each role with each kind of token and each scope, and callers without valid credentials. */
export async function makeCallers(world: PermissionWorld): Promise<Caller[]> {
  return [
    ...(await callersWithoutRight(world)),
    ...(await callersWithRights(world)),
    ...(await callersOfStaff(world)),
    ...(await callersOfPortal(world)),
  ];
}

/**
 * For each scope, a caller with all but that one, and one with only that one. So every route has a caller with its
 * scope and one without.
 */
async function callersWithRights(world: PermissionWorld): Promise<Caller[]> {
  const wanted = ROLES.flatMap((role) => [
    { role, kind: 'session' as const, scopes: 'all' as const },
    ...(['api', 'oauth'] as const).flatMap((kind) =>
      SCOPES.flatMap((scope) => [
        { role, kind, scopes: [scope] },
        { role, kind, scopes: SCOPES.filter((each) => each !== scope) },
      ]),
    ),
  ]);
  return Promise.all(
    wanted.map(async ({ role, kind, scopes }) => {
      const terms = scopes === 'all' ? { kind } : { kind, scopes };
      const held = scopes === 'all' ? 'all scopes' : scopes.length === 1 ? scopes[0] : `all but ${missingIn(scopes)}`;
      return {
        name: `${role}, ${kind} (${held})`,
        token: await world.grant(world.userIn(role), terms),
        kind,
        role,
        scopes,
      };
    }),
  );
}

/** In each staff role: a login with and without two-factor, and a program, each acting for the organization or not. */
async function callersOfStaff(world: PermissionWorld): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const role of STAFF_ROLES) {
    const member = await world.test.register(`Staff ${role}`);
    await makeStaff(world.test, member, role);
    const login = { kind: 'session', organizationId: member.organizationId } as const;
    const own = { kind: 'session', role: 'admin', scopes: 'all', organizationId: member.organizationId } as const;
    const passed = { role, passedTwoFactor: true };
    const tried = { role, passedTwoFactor: false };
    const { token } = await makeOperatorToken(world.test, null, role);
    const program = { kind: 'operator', role: 'member', scopes: [], token, staff: passed } as const;
    const withTwoFactor = await world.grant(member.userId, { ...login, passedTwoFactor: true });
    const without = await world.grant(member.userId, login);
    callers.push(
      { ...own, name: `staff ${role}, at home`, token: withTwoFactor, staff: passed },
      { ...own, name: `staff ${role}, acting`, token: withTwoFactor, staff: passed, acts: true },
      { ...own, name: `staff ${role} without two-factor, at home`, token: without, staff: tried },
      { ...own, name: `staff ${role} without two-factor, acting`, token: without, staff: tried, acts: true },
      { ...program, name: `program ${role}` },
      { ...program, name: `program ${role}, acting`, acts: true },
    );
  }
  return callers;
}

/** The portal session of a link that an admin created, and of one whose admin has another role by now. */
async function callersOfPortal(world: PermissionWorld): Promise<Caller[]> {
  const scopes = ['read:org', 'admin:org'];
  const portal = { kind: 'portal', scopes } as const;
  return Promise.all(
    ROLES.map(async (role) => ({
      ...portal,
      name: `portal of a ${role}`,
      role,
      token: await world.grantPortal(world.userIn(role)),
    })),
  );
}

const missingIn = (scopes: readonly string[]) => SCOPES.find((scope) => !scopes.includes(scope));

async function callersWithoutRight(world: PermissionWorld): Promise<Caller[]> {
  const admin = world.userIn('admin');
  const scopes = [...SCOPES];
  const nobody = { kind: 'nobody', role: 'admin', scopes: 'all' } as const;
  const expired = { ...nobody, kind: 'expired' } as const;
  const alive = await world.grant(admin, { kind: 'session' });
  return [
    { ...nobody, name: 'no token', token: undefined },
    { ...nobody, name: 'garbage', token: 'svc_live_garbage' },
    { ...nobody, name: 'an unknown token', token: newToken('svc_live_') },
    {
      ...nobody,
      name: 'a mistyped token',
      token: alive.slice(0, -1) + (alive.endsWith('0') ? '1' : '0'),
    },
    // It is stored in this database: only the prefix reveals that it belongs to the other environment.
    {
      ...nobody,
      name: 'a sandbox token',
      token: await world.grant(admin, { kind: 'api', scopes, prefix: 'svc_test_' }),
    },
    { ...nobody, name: 'an unknown operator token', token: newToken('svc_opt_') },
    { ...nobody, name: 'a refresh token', token: world.stranger.refreshToken },
    { ...nobody, name: 'a revoked session', token: await world.grant(admin, { kind: 'session', state: 'revoked' }) },
    {
      ...nobody,
      name: 'a revoked API token',
      token: await world.grant(admin, { kind: 'api', scopes, state: 'revoked' }),
    },
    {
      ...nobody,
      name: 'a revoked OAuth token',
      token: await world.grant(admin, { kind: 'oauth', scopes, state: 'revoked' }),
    },
    { ...expired, name: 'an expired session', token: await world.grant(admin, { kind: 'session', state: 'expired' }) },
    {
      ...expired,
      name: 'an expired API token',
      token: await world.grant(admin, { kind: 'api', scopes, state: 'expired' }),
    },
    {
      ...expired,
      name: 'an expired OAuth token',
      token: await world.grant(admin, { kind: 'oauth', scopes, state: 'expired' }),
    },
  ];
}
