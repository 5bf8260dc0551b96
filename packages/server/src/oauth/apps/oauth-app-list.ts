import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { OAUTH_APP_COLUMNS, type OauthAppRow } from './queries.ts';

/** An organization's apps, or only those that the user `createdBy` registered. */
export const OAUTH_APP_LIST = defineList({
  name: 'list_oauth_apps',
  parameters: { organizationId: 'text', createdBy: 'text | null' },
  returns: many<OauthAppRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at'), name: sortBy.text('name') },
  filters: { confidential: filterBy.flag('is_confidential'), ...filterBy.createdWithin('created_at') },
  sql: ({ organizationId, createdBy }, { page }) => `
    select ${OAUTH_APP_COLUMNS} from oauth_apps
    where organization_id = ${organizationId} and deleted_at is null
      and (${createdBy} is null or created_by = ${createdBy}) and ${page}`,
});
