import { actorOf } from '../../audit/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import type { Organization } from '../schemas.ts';
import { type JoiningTools, joinByInvitation } from './join-by-invitation.ts';

/** Makes the caller a member of the organization that invited them. Throws like `joinByInvitation`. */
export async function acceptInvitation(
  context: AuthorizedContext,
  tools: JoiningTools,
  token: string,
): Promise<Organization> {
  const { userId } = context.principal;
  const actorIn = (organizationId: string) => ({ ...actorOf(context), organizationId });
  return context.database.transaction((tx) => joinByInvitation(tx, tools, { userId, token, actorIn }));
}
