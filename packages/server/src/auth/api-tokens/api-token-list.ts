import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { API_TOKEN_COLUMNS, type ApiTokenRow, IS_EXPIRED } from './queries.ts';

/** The tokens that a user created in an organization and that are not revoked, including expired ones. */
export const API_TOKEN_LIST = defineList({
  name: 'list_api_tokens',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: many<ApiTokenRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at'), name: sortBy.text('name') },
  filters: {
    status: filterBy.cases({ active: `not ${IS_EXPIRED}`, expired: IS_EXPIRED }),
    ...filterBy.createdWithin('created_at'),
  },
  sql: ({ organizationId, userId }, { page }) => `
    select ${API_TOKEN_COLUMNS} from api_tokens
    where organization_id = ${organizationId} and user_id = ${userId} and revoked_at is null and ${page}`,
});
