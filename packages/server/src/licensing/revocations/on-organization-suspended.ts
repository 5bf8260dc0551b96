import { type Reaction, reactTo } from '../../events/index.ts';
import { ORG_REINSTATED, ORG_SUSPENDED } from '../../organizations/index.ts';
import { deleteOrganizationRevocations, insertOrganizationRevocations } from './queries.ts';

/** Offline programs learn from the list of revocations that their organization is suspended. */
export const ON_ORGANIZATION_SUSPENDED: Reaction = reactTo(ORG_SUSPENDED, (tx, { organization_id: organizationId }) =>
  insertOrganizationRevocations(tx, { organizationId }),
);

/** Licenses that were individually suspended or revoked stay on the list. */
export const ON_ORGANIZATION_REINSTATED: Reaction = reactTo(ORG_REINSTATED, (tx, { organization_id: organizationId }) =>
  deleteOrganizationRevocations(tx, { organizationId }),
);
