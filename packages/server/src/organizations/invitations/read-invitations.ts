import { type AuthorizedContext, type ListPage, type PageRequest, toPage } from '../../http/index.ts';
import type { Invitation } from '../events.ts';
import { presentInvitation } from './present-invitation.ts';
import { type InvitationRow, listInvitations } from './queries.ts';

/** A page of the invitations of the request's organization, however they stand. */
export async function readInvitations(context: AuthorizedContext, page: PageRequest): Promise<ListPage<Invitation>> {
  const rows = await listInvitations(context.database, context.principal.organizationId, page);
  return toPage(rows, page, (row) => ({ value: sortValue(row, page.sort), id: row.id }), presentInvitation);
}

function sortValue(row: InvitationRow, sort: string): string {
  return sort === 'created_at' ? row.created_at.toISOString() : row.email;
}
