import { many, statement } from '../database/index.ts';

/** The next organizations in the order of their ids, deleted ones among them, for jobs that walk through all. */
export const listAllOrganizations = statement({
  name: 'list_all_organizations',
  parameters: { after: 'text', limit: 'integer' },
  returns: many<{ id: string }>(),
  sql: ({ after, limit }) => `select id from organizations where id > ${after} order by id limit ${limit}`,
});

/** Those of these organizations that were deleted before this time and are erased. */
export const listEndedOrganizations = statement({
  name: 'list_ended_organizations',
  parameters: { organizationIds: 'text[]', before: 'timestamptz' },
  returns: many<{ id: string }>(),
  sql: ({ organizationIds, before }) => `
    select id from organizations
    where id = any(${organizationIds}) and erased_at is not null and deleted_at < ${before}`,
});
