import type { Queries } from '../database/index.ts';
import { type ApiError, httpError } from '../http/index.ts';
import { countMembershipsOfUser } from './memberships/queries.ts';

/** Rate limits count for each organization, so being in ever more of them would be a way around the limits. */
const MAX_ORGANIZATIONS = 100;

/** Whether a user may join another organization. Asked before anything is written; the caller holds the lock of the user. */
export async function mayJoinOrganization(tx: Queries, userId: string): Promise<boolean> {
  return (await countMembershipsOfUser(tx, { userId })).count < MAX_ORGANIZATIONS;
}

/** The refusal for a user who is in as many organizations as allowed. */
export function tooManyOrganizations(): ApiError {
  return httpError('conflict', `You are already a member of ${MAX_ORGANIZATIONS} organizations, which is the maximum.`);
}
