import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { REPLAY_COLUMNS, type ReplayRow } from './queries.ts';
import { REPLAY_STATUSES } from './schemas.ts';

/** An endpoint's replays. */
export const REPLAY_LIST = defineList({
  name: 'list_replays',
  parameters: { organizationId: 'text', endpointId: 'text' },
  returns: many<ReplayRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at') },
  filters: { status: filterBy.oneOf(REPLAY_STATUSES, 'status'), ...filterBy.createdWithin('created_at') },
  sql: ({ organizationId, endpointId }, { page }) => `select ${REPLAY_COLUMNS} from webhook_replays
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and ${page}`,
});
