import { many, statement } from '../../database/index.ts';

/** Which of these activations still exist, read under the locks of their licenses. */
export const listLiveActivations = statement({
  name: 'list_live_activations',
  parameters: { organizationId: 'text', ids: 'text[]' },
  returns: many<{ id: string }>(),
  sql: ({ organizationId, ids }) =>
    `select id from license_activations where organization_id = ${organizationId} and id = any(${ids})`,
});
