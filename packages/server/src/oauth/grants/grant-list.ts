import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import type { GrantRow } from './queries.ts';

/** The grants of a user, in all organizations. */
export const GRANT_LIST = defineList({
  name: 'list_grants_of_user',
  parameters: { userId: 'text' },
  returns: many<GrantRow>(),
  isOfUser: true,
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('g.created_at') },
  filters: filterBy.createdWithin('g.created_at'),
  id: 'g.id',
  sql: ({ userId }, { page }) => `
    select g.id, g.organization_id, g.app_id, a.name as app_name, g.scopes, g.created_at, g.updated_at
    from oauth_grants g join oauth_apps a on a.id = g.app_id
    where g.user_id = ${userId} and g.ended_at is null and ${page}`,
});
