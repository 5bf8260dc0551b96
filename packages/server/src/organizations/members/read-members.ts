import { type AuthorizedContext, type ListPage, type PageRequest, toPage } from '../../http/index.ts';
import type { Member } from '../events.ts';
import { presentMember } from './present-member.ts';
import { listMembers } from './queries.ts';

/** A page of the members of the request's organization. */
export async function readMembers(
  context: AuthorizedContext,
  { baseUrl }: { baseUrl: string },
  page: PageRequest,
): Promise<ListPage<Member>> {
  const rows = await listMembers(context.database, context.principal.organizationId, page);
  const positionOf = (row: (typeof rows)[number]) => ({
    value: page.sort === 'name' ? row.user_name : row.created_at.toISOString(),
    id: row.user_id,
  });
  return toPage(rows, page, positionOf, (row) => presentMember(row, baseUrl));
}
