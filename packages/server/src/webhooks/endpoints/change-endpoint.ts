import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, runEffect } from '../../http/index.ts';
import { NEW_ENDPOINT } from '../endpoint-state/health-rules.ts';
import {
  updateActivatedEndpoint,
  updateEndpoint,
  updateEndpointDestination,
  updatePausedEndpoint,
} from './change-queries.ts';
import { destinationOf, findUrlRefusal, requireKnownEvents } from './endpoint-rules.ts';
import type { EndpointTools } from './endpoint-tools.ts';
import { lockEndpoint } from './lock-endpoint.ts';
import { presentEndpoint } from './present-endpoint.ts';
import { type EndpointContent, type EndpointRow, findEndpoint } from './queries.ts';
import type { EndpointChange } from './schemas.ts';

/**
 * Changes, pauses or enables an endpoint; unchanged values have no effect. Throws not_found, the refusals of
 * `findUrlRefusal`, and validation_failed for unknown events.
 */
export async function changeEndpoint(
  context: AuthorizedContext,
  tools: EndpointTools,
  id: string,
  input: EndpointChange,
): Promise<Answer<unknown>> {
  const key = { organization_id: context.principal.organizationId, endpoint_id: id };
  const refusal = input.url === undefined ? undefined : await findUrlRefusal(tools.sender, input.url);
  const answer = await runEffect(context, async (tx) => {
    const row = await lockEndpoint(tx, key);
    if (refusal !== undefined) {
      throw refusal;
    }
    const wanted = applyChange(tools, row, input);
    const status = input.status ?? row.status;
    const before = presentEndpoint(row);
    if (isSame(row, wanted) && status === row.status) {
      return { data: before };
    }
    const after = presentEndpoint(await writeChange(tx, context.principal, row, wanted, status));
    await recordAudit(tx, actorOf(context), {
      action: actionOf(before.status, after.status),
      targetType: 'webhook',
      targetId: id,
      before,
      after,
    });
    return { data: after };
  });
  // Planned attempts may be claimed again as soon as the endpoint is active.
  tools.due.slow.ring();
  return answer;
}

/** Omitted fields stay unchanged; null removes the description. */
function applyChange({ catalogue }: EndpointTools, row: EndpointRow, input: EndpointChange): EndpointContent {
  return {
    url: input.url ?? row.url,
    events: input.events === undefined ? row.events : requireKnownEvents(catalogue, input.events),
    description: input.description === undefined ? row.description : input.description,
  };
}

function isSame(row: EndpointRow, wanted: EndpointContent): boolean {
  return row.url === wanted.url && row.events.join() === wanted.events.join() && row.description === wanted.description;
}

/** A new URL is a new receiver: the health of the old one says nothing about it. */
async function writeChange(
  tx: Queries,
  { organizationId, clockOffsetMs }: AuthorizedContext['principal'],
  row: EndpointRow,
  wanted: EndpointContent,
  status: EndpointRow['status'],
): Promise<EndpointRow> {
  const ids = { organizationId, endpointId: row.id };
  if (wanted.url !== row.url) {
    await updateEndpointDestination(tx, { ...ids, destination: destinationOf(wanted.url), ...NEW_ENDPOINT });
  }
  if (status !== row.status) {
    await (status === 'active'
      ? updateActivatedEndpoint(tx, { ...ids, ...NEW_ENDPOINT })
      : updatePausedEndpoint(tx, ids));
  }
  await updateEndpoint(tx, { ...ids, clockOffsetMs, ...wanted });
  const written = await findEndpoint(tx, ids);
  if (written === undefined) {
    throw new Error('an endpoint whose lock is held is missing');
  }
  return written;
}

function actionOf(before: EndpointRow['status'], after: EndpointRow['status']): string {
  if (before === after) {
    return 'webhook.updated';
  }
  return after === 'active' ? 'webhook.enabled' : 'webhook.paused';
}
