import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, runEffect } from '../../http/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';
import { NEW_ENDPOINT } from '../delivering/health-rules.ts';
import { activateEndpointState, moveEndpointState, pauseEndpointState, updateEndpoint } from './change-queries.ts';
import { destinationOf, judgeUrl, requireKnownEvents } from './endpoint-rules.ts';
import type { EndpointTools } from './endpoint-tools.ts';
import { lockEndpoint } from './lock-endpoint.ts';
import { presentEndpoint } from './present-endpoint.ts';
import type { EndpointContent, EndpointRow } from './queries.ts';
import type { EndpointChange } from './schemas.ts';

/**
 * Changes, pauses or enables an endpoint; what is the same already changes nothing. Throws not_found, what `judgeUrl`
 * refuses, and validation_failed for unknown events.
 */
export async function changeEndpoint(
  context: AuthorizedContext,
  tools: EndpointTools,
  id: string,
  input: EndpointChange,
): Promise<Answer<unknown>> {
  const key = { organization_id: context.principal.organizationId, endpoint_id: id };
  const refusal = input.url === undefined ? undefined : await judgeUrl(tools.sender, input.url);
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
    const after = presentEndpoint(await writeChange(tx, key, row, wanted, status));
    await recordAudit(tx, actorOf(context), {
      action: actionOf(before.status, after.status),
      targetType: 'webhook',
      targetId: id,
      before,
      after,
    });
    return { data: after };
  });
  // What an endpoint has planned may be claimed again as soon as it is active.
  tools.due.cautious.ring();
  return answer;
}

/** What is not given stays; a description of null takes it away. */
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

/** A new URL is a new receiver: what was known of the old one's health says nothing of it. */
async function writeChange(
  tx: Queries,
  key: EndpointKey,
  row: EndpointRow,
  wanted: EndpointContent,
  status: EndpointRow['status'],
): Promise<EndpointRow> {
  if (wanted.url !== row.url) {
    await moveEndpointState(tx, key, destinationOf(wanted.url), NEW_ENDPOINT);
  }
  if (status !== row.status) {
    await (status === 'active' ? activateEndpointState(tx, key, NEW_ENDPOINT) : pauseEndpointState(tx, key));
  }
  return updateEndpoint(tx, key, wanted);
}

function actionOf(before: EndpointRow['status'], after: EndpointRow['status']): string {
  if (before === after) {
    return 'webhook.updated';
  }
  return after === 'active' ? 'webhook.enabled' : 'webhook.paused';
}
