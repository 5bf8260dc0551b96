import { many } from '../../database/index.ts';
import { defineList, filterBy, ROLES, sortBy } from '../../http/index.ts';
import type { MemberRow } from '../memberships/queries.ts';

/** An organization's members. They are sorted by the copy of their name in the membership, which has an index. */
export const MEMBER_LIST = defineList({
  name: 'list_members',
  parameters: { organizationId: 'text' },
  returns: many<MemberRow & { user_name: string }>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('m.created_at'), name: sortBy.text('m.user_name') },
  filters: { role: filterBy.oneOf(ROLES, 'm.role'), ...filterBy.createdWithin('m.created_at') },
  id: 'm.user_id',
  sql: ({ organizationId }, { page }) => `
    select m.organization_id, m.user_id, m.user_name, u.email, u.name, u.avatar_url, m.role, m.created_at
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and ${page}`,
});
