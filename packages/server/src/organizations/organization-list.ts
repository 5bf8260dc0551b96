import { many } from '../database/index.ts';
import { defineList, filterBy, ROLES, sortBy } from '../http/index.ts';
import type { OwnOrganizationRow } from './organization-queries.ts';

/**
 * A user's organizations, or only the one named by `only`. They are sorted on read, because no one is a member of so
 * many that an index would be faster.
 */
export const ORGANIZATION_LIST = defineList({
  name: 'list_own_organizations',
  parameters: { userId: 'text', only: 'text | null' },
  returns: many<OwnOrganizationRow>(),
  isOfUser: true,
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('o.created_at'), name: sortBy.text('o.name') },
  filters: { role: filterBy.oneOf(ROLES, 'm.role'), ...filterBy.createdWithin('o.created_at') },
  id: 'o.id',
  sql: ({ userId, only }, { page }) => `
    select o.id, o.name, o.slug, o.member_count, o.billing_details, o.clock_offset_ms, o.created_at, o.updated_at, m.role
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and o.deleted_at is null and (${only} is null or m.organization_id = ${only}) and ${page}`,
});
