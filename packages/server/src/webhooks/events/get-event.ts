import { findEvent } from '../../events/index.ts';
import { type Answer, type AuthorizedContext, notFound } from '../../http/index.ts';
import { presentEvent } from './present-event.ts';

/** One event, as sent in webhooks. */
export async function getEvent(
  { database, principal: { organizationId } }: AuthorizedContext,
  id: string,
): Promise<Answer<unknown>> {
  const row = await findEvent(database, { organizationId, id });
  if (row === undefined) {
    throw notFound('event');
  }
  return { data: presentEvent(organizationId, row) };
}
