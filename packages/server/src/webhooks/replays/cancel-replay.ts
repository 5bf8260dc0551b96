import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { idsOf } from '../endpoint-state/endpoint-key.ts';
import { lockEndpointStates } from '../endpoint-state/state-queries.ts';
import { presentReplay } from './present-replay.ts';
import { findReplay, updateCanceledReplay } from './queries.ts';
import type { Replay } from './schemas.ts';

/**
 * Cancels a running replay: it starts no more deliveries, and started ones continue. Returns the replay. Throws
 * not_found, or conflict if it is not running.
 */
export async function cancelReplay(context: AuthorizedContext, endpointId: string, id: string): Promise<Replay> {
  const key = { organization_id: context.principal.organizationId, endpoint_id: endpointId };
  const ids = idsOf(key);
  return context.database.transaction(async (tx) => {
    const [state] = await lockEndpointStates(tx, [key]);
    if (state === undefined) {
      throw notFound('webhook');
    }
    const before = await findReplay(tx, { ...ids, id });
    if (before === undefined) {
      throw notFound('replay');
    }
    const after = await updateCanceledReplay(tx, { ...ids, id, now: state.now });
    if (after === undefined) {
      throw httpError('conflict', `The replay is already ${before.status}.`);
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
