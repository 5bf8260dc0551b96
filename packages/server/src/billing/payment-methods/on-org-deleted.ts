import { type Reaction, reactTo } from '../../events/index.ts';
import { ORG_DELETED } from '../../organizations/index.ts';
import { lockAccountRow } from '../accounts/queries.ts';
import { updateRemovedMethods } from './queries.ts';

/**
 * Detaches the cards of a deleted organization at the provider. Holds the account's lock, so a card being attached is
 * either seen here or finds the organization deleted.
 */
export const ON_ORG_DELETED: Reaction = reactTo(ORG_DELETED, async (tx, { organization_id }, { clockOffsetMs }) => {
  const organizationId = organization_id;
  await lockAccountRow(tx, { organizationId });
  await updateRemovedMethods(tx, { organizationId, clockOffsetMs });
});
