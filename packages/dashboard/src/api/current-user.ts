import type { User } from '@seathold/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { actingFor } from './acting.ts';
import { api, chooseOrganization, personalApi } from './client.ts';

/** Who is logged in, and in which organization they act. */
export const currentUser = queryOptions({ queryKey: ['me'], queryFn: findCurrentUser, staleTime: 60_000 });

/** The person who is logged in. For screens below the shell, which is shown to nobody else. */
export function useCurrentUser(): User {
  return useSuspenseQuery(currentUser).data;
}

const ROLES = ['member', 'billing', 'admin'] as const;

/** Whether the person's role in this organization is at least this one. */
export function useHasRole(least: (typeof ROLES)[number]): boolean {
  const { organization } = useCurrentUser();
  return ROLES.indexOf(organization.role) >= ROLES.indexOf(least);
}

/** An organization that was chosen here before may be gone, or belong to someone else who used this browser. */
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
