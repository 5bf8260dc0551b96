import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import type { Invitation } from '../events.ts';
import { INVITATION_LIST } from './invitation-list.ts';
import { presentInvitation } from './present-invitation.ts';

/** A page of the invitations of the request's organization, with any status. */
export async function listInvitations(context: AuthorizedContext, page: PageRequest): Promise<ListPage<Invitation>> {
  const { organizationId } = context.principal;
  return INVITATION_LIST.getPage(context.database, page, { organizationId }, presentInvitation);
}
