import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { patternsOf } from '../events/subscription-rules.ts';
import { ENDPOINT_COLUMNS, type EndpointRow } from './queries.ts';
import { ENDPOINT_STATUSES } from './schemas.ts';

/** An organization's endpoints that are not deleted. */
export const ENDPOINT_LIST = defineList({
  name: 'list_endpoints',
  parameters: { organizationId: 'text' },
  returns: many<EndpointRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('e.created_at') },
  filters: {
    status: filterBy.oneOf(ENDPOINT_STATUSES, 's.status'),
    // An event type also finds endpoints that subscribe to one of its groups or to `*`.
    event: { kind: 'text', type: 'text[]', condition: (patterns) => `e.events && ${patterns}`, encode: patternsOf },
  },
  id: 'e.id',
  sql: ({ organizationId }, { page }) => `select ${ENDPOINT_COLUMNS} from webhook_endpoints e
    join webhook_endpoint_states s on s.organization_id = e.organization_id and s.endpoint_id = e.id
    where e.organization_id = ${organizationId} and e.deleted_at is null and ${page}`,
});
