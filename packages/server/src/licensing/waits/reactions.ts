import type { Queries } from '../../database/index.ts';
import { type Happening, type Reaction, reactTo } from '../../events/index.ts';
import { ORG_MEMBER_REMOVED, ORG_SUSPENDED } from '../../organizations/index.ts';
import { lockAllAwaitedLicenses, lockAwaitedLicenses, updateWaitsCanceled } from '../seats/line-queries.ts';

/** A user who has left the organization stops waiting for its seats. */
const ON_MEMBER_REMOVED: Reaction = reactTo(ORG_MEMBER_REMOVED, (tx, { user_id: userId }, happening) =>
  cancelWaitsOf(tx, happening, userId, 'member_removed'),
);

/** The members of a suspended organization cannot request their seats, so they would lose their places one by one. */
const ON_ORGANIZATION_SUSPENDED: Reaction = reactTo(ORG_SUSPENDED, async (tx, _object, happening) => {
  const { organizationId, clockOffsetMs } = happening;
  const locked = await lockAllAwaitedLicenses(tx, { organizationId });
  const licenseIds = locked.map((row) => row.license_id);
  const of = { organizationId, clockOffsetMs, licenseIds };
  await updateWaitsCanceled(tx, { ...of, id: null, userId: null, reason: 'organization_suspended' });
});

/** Removes a user or an activated machine from every line of the organization. */
export async function cancelWaitsOf(
  tx: Queries,
  { organizationId, clockOffsetMs }: Happening,
  userId: string,
  reason: string,
): Promise<void> {
  const locked = await lockAwaitedLicenses(tx, { organizationId, userId });
  if (locked.length > 0) {
    const licenseIds = locked.map((row) => row.license_id);
    await updateWaitsCanceled(tx, { organizationId, clockOffsetMs, licenseIds, id: null, userId, reason });
  }
}

export const LINE_REACTIONS: readonly Reaction[] = [ON_MEMBER_REMOVED, ON_ORGANIZATION_SUSPENDED];
