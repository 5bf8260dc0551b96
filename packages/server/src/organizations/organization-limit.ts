import type { Queries } from '../database/index.ts';
import { type ApiError, httpError } from '../http/index.ts';
import { countMembershipsOfUser } from './organization-queries.ts';

/** Limits count for each organization, so that being in ever more of them would be a way around them. */
const MAX_ORGANIZATIONS = 100;

/** Whether a user can be in one organization more, asked before anything is written. The caller holds the user's row. */
export async function hasRoomForOrganization(tx: Queries, userId: string): Promise<boolean> {
  return (await countMembershipsOfUser(tx, userId)) < MAX_ORGANIZATIONS;
}

/** The refusal of one organization more than a user may be in. */
export function tooManyOrganizations(): ApiError {
  return httpError('conflict', `You are a member of ${MAX_ORGANIZATIONS} organizations already.`);
}
