import type { User } from '@seathold/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { actingFor } from './acting.ts';
import { api, chooseOrganization, personalApi } from './client.ts';

/** The logged-in person, and the organization that they act in. */
export const currentUser = queryOptions({ queryKey: ['me'], queryFn: findCurrentUser, staleTime: 60_000 });

/** The logged-in person. For screens inside the shell, which is only shown to logged-in people. */
export function useCurrentUser(): User {
  return useSuspenseQuery(currentUser).data;
}

const ROLES = ['member', 'billing', 'admin'] as const;

/** Whether the person's role in this organization is at least this one. */
export function useHasRole(least: (typeof ROLES)[number]): boolean {
  const { organization } = useCurrentUser();
  return ROLES.indexOf(organization.role) >= ROLES.indexOf(least);
}

/** A previously chosen organization may be deleted, or belong to someone else who used this browser. */
async function findCurrentUser(): Promise<User> {
  if (actingFor !== undefined) {
    return findActingUser(actingFor);
  }
  try {
    return await api().me.get();
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 404) {
      chooseOrganization(undefined);
      return api().me.get();
    }
    throw error;
  }
}

/** Staff see of a customer what its admins see. */
async function findActingUser(organizationId: string): Promise<User> {
  const [user, { id, name }] = await Promise.all([
    personalApi().me.get(),
    personalApi().operator.getOperatedOrganization(organizationId),
  ]);
  return { ...user, organization: { id, name, role: 'admin' } };
}
