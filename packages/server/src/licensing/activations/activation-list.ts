import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import type { ActivationRow } from './queries.ts';

/** The machines of a license. */
export const ACTIVATION_LIST = defineList({
  name: 'list_activations',
  parameters: { organizationId: 'text', licenseId: 'text' },
  returns: many<ActivationRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at') },
  filters: { hardware_id: filterBy.text('hardware_id'), ...filterBy.createdWithin('created_at') },
  sql: ({ organizationId, licenseId }, { page }) => `
    select id, license_id, hardware_id, name, created_at, activated_at from license_activations
    where organization_id = ${organizationId} and license_id = ${licenseId} and ${page}`,
});
