import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { PROJECT_COLUMNS, PROJECT_STATUSES, type ProjectRow } from './queries.ts';

/** An organization's projects. */
export const PROJECT_LIST = defineList({
  name: 'list_projects',
  parameters: { organizationId: 'text' },
  returns: many<ProjectRow>(),
  defaultSort: '-created_at',
  sorts: {
    created_at: sortBy.time('created_at'),
    name: sortBy.text('name'),
    updated_at: sortBy.time('updated_at'),
  },
  filters: {
    status: filterBy.oneOf(PROJECT_STATUSES, 'status'),
    ...filterBy.createdWithin('created_at'),
  },
  sql: ({ organizationId }, { page }) =>
    `select ${PROJECT_COLUMNS} from projects where organization_id = ${organizationId} and ${page}`,
});
