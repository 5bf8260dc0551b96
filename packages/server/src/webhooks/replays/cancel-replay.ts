import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { lockEndpointStates } from '../delivering/state-queries.ts';
import { presentReplay } from './present-replay.ts';
import { findReplay, updateCanceledReplay } from './queries.ts';
import type { Replay } from './schemas.ts';

/**
 * Ends a running replay: it takes up nothing more, and what it took up goes on. Answers the replay. Throws not_found, or
 * conflict when it runs no more.
 */
export async function cancelReplay(context: AuthorizedContext, endpointId: string, id: string): Promise<Replay> {
  const key = { organization_id: context.principal.organizationId, endpoint_id: endpointId };
  return context.database.transaction(async (tx) => {
    const [state] = await lockEndpointStates(tx, [key]);
    if (state === undefined) {
      throw notFound('webhook');
    }
    const before = await findReplay(tx, key, id);
    if (before === undefined) {
      throw notFound('replay');
    }
    const after = await updateCanceledReplay(tx, key, id, state.now);
    if (after === undefined) {
      throw httpError('conflict', `The replay is ${before.status} already.`);
    }
    const shown = presentReplay(after);
    await recordAudit(tx, actorOf(context), {
      action: 'webhook.replay_canceled',
      targetType: 'webhook_replay',
      targetId: id,
      before: presentReplay(before),
      after: shown,
    });
    return shown;
  });
}
