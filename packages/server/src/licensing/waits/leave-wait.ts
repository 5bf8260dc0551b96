import { type Answer, type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { lockLicenses } from '../licenses/entitlement-queries.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { findWait, updateWaitsCanceled, type WaitRow } from '../seats/line-queries.ts';

/** Leaves the line. Leaving it again changes nothing. Throws not_found, or conflict if the wait already has a seat. */
export async function leaveWait(
  context: AuthorizedContext,
  tools: Pick<LicensingTools, 'waitingCalls'>,
  id: string,
): Promise<Answer<undefined>> {
  const { database, principal } = context;
  const { organizationId, userId } = principal;
  const row = await findWait(database, { organizationId, id, userId });
  if (row === undefined) {
    throw notFound('wait');
  }
  await cancelWait(context, row, 'left');
  const after = await findWait(database, { organizationId, id, userId });
  if (after?.status === 'granted') {
    throw httpError('conflict', `This wait already has a seat. Release session ${after.session_id} instead.`);
  }
  database.afterCommit(() => tools.waitingCalls.ring(organizationId, row.license_id));
  return { data: undefined };
}

/** Removes a wait from its line if it is still there. */
export async function cancelWait(
  { database, principal }: Pick<AuthorizedContext, 'database' | 'principal'>,
  { id, license_id: licenseId }: WaitRow,
  reason: string,
): Promise<void> {
  const { organizationId, clockOffsetMs } = principal;
  await database.transaction(async (tx) => {
    await lockLicenses(tx, { organizationId, ids: [licenseId] });
    const of = { organizationId, clockOffsetMs, licenseIds: [licenseId] };
    await updateWaitsCanceled(tx, { ...of, id, userId: null, reason });
  });
}
