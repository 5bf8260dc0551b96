import { actorOf, recordAudit } from '../../audit/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { idsOf } from '../endpoint-state/endpoint-key.ts';
import { lockEndpoint } from './lock-endpoint.ts';
import { presentEndpoint } from './present-endpoint.ts';
import { deleteEndpoint } from './queries.ts';

/** Deletes an endpoint: nothing more is sent to it, except what is in flight. Jobs delete its history. */
export async function removeEndpoint(context: AuthorizedContext, id: string): Promise<void> {
  const key = { organization_id: context.principal.organizationId, endpoint_id: id };
  await context.database.transaction(async (tx) => {
    const before = presentEndpoint(await lockEndpoint(tx, key));
    await deleteEndpoint(tx, idsOf(key));
    await recordAudit(tx, actorOf(context), {
      action: 'webhook.deleted',
      targetType: 'webhook',
      targetId: id,
      before,
    });
  });
}
