import { type Reaction, reactTo } from '../../events/index.ts';
import { ORG_DELETED } from '../../organizations/index.ts';
import { LOCK_ACCOUNT } from '../accounts/queries.ts';
import { removeMethodsOfOrganization } from './queries.ts';

/**
 * The cards of a deleted organization are untied at the provider. Under the account's lock, so that one which is being
 * attached either is seen here, or finds the organization gone.
 */
export const ON_ORG_DELETED: Reaction = reactTo(ORG_DELETED, async (tx, { organization_id }, { clockOffsetMs }) => {
  await tx.query(LOCK_ACCOUNT, [organization_id]);
  await removeMethodsOfOrganization(tx, organization_id, clockOffsetMs);
});
