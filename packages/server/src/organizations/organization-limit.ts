import type { Queries } from '../database/index.ts';
import { type ApiError, httpError } from '../http/index.ts';
import { countMembershipsOfUser } from './memberships/queries.ts';

/** Rate limits count per organization, so membership in an unlimited number would circumvent them. */
const MAX_ORGANIZATIONS = 100;

/**
 * Whether a user may join another organization. Call it before anything is written; the caller holds the user's lock.
 */
export async function mayJoinOrganization(tx: Queries, userId: string): Promise<boolean> {
  return (await countMembershipsOfUser(tx, { userId })).count < MAX_ORGANIZATIONS;
}

/** The refusal for a user who is in as many organizations as allowed. */
export function tooManyOrganizations(): ApiError {
  return httpError('conflict', `You are already a member of ${MAX_ORGANIZATIONS} organizations, which is the maximum.`);
}
