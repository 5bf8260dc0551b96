import { many, statement } from '../database/index.ts';

/** The next organizations, ordered by ID, including deleted ones, for jobs that process all. */
export const listAllOrganizations = statement({
  name: 'list_all_organizations',
  parameters: { after: 'text', limit: 'integer' },
  returns: many<{ id: string }>(),
  sql: ({ after, limit }) => `select id from organizations where id > ${after} order by id limit ${limit}`,
});

/** Which of these organizations were deleted before this time and are erased. */
export const listEndedOrganizations = statement({
  name: 'list_ended_organizations',
  parameters: { organizationIds: 'text[]', before: 'timestamptz' },
  returns: many<{ id: string }>(),
  sql: ({ organizationIds, before }) => `
    select id from organizations
    where id = any(${organizationIds}) and erased_at is not null and deleted_at < ${before}`,
});
