import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import type { Member } from '../events.ts';
import { presentMember } from '../memberships/present-member.ts';
import { MEMBER_LIST } from './member-list.ts';

/** A page of the members of the request's organization. */
export async function listMembers(
  context: AuthorizedContext,
  { baseUrl }: { baseUrl: string },
  page: PageRequest,
): Promise<ListPage<Member>> {
  const { organizationId } = context.principal;
  return MEMBER_LIST.getPage(context.database, page, { organizationId }, (row) => presentMember(row, baseUrl));
}
