import { actorOf, recordAudit } from '../../audit/index.ts';
import { type Answer, type AuthorizedContext, notFound, runEffect } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { lockOrganization } from '../../organizations/index.ts';
import { encryptSecret, newSecret } from '../signing/secrets.ts';
import {
  destinationOf,
  findUrlRefusal,
  MAX_ENDPOINTS,
  requireKnownEvents,
  tooManyEndpoints,
} from './endpoint-rules.ts';
import type { EndpointTools } from './endpoint-tools.ts';
import { presentEndpoint } from './present-endpoint.ts';
import { countEndpoints, findEndpoint, insertEndpoint } from './queries.ts';
import type { EndpointInput } from './schemas.ts';
import { insertSecret } from './secret-queries.ts';

/**
 * Creates an active endpoint and returns it with its secret, shown only this once. Throws the refusal of a URL,
 * validation_failed for unknown events, and conflict if the limit of endpoints is reached.
 */
export async function createEndpoint(
  context: AuthorizedContext,
  { catalogue, masterKey, sender }: EndpointTools,
  input: EndpointInput,
): Promise<Answer<unknown>> {
  const { organizationId } = context.principal;
  const ids = { organizationId, endpointId: newId('webhookEndpoint') };
  const secretId = newId('webhookSecret');
  const secret = input.secret ?? newSecret();
  const encrypted = encryptSecret(masterKey, secretId, secret);
  const refusal = await findUrlRefusal(sender, input.url);
  return runEffect(context, async (tx) => {
    const events = requireKnownEvents(catalogue, input.events);
    if (refusal !== undefined) {
      throw refusal;
    }
    // Transactions that add endpoints of one organization are serialized, so that they can be counted first.
    const organization = await lockOrganization(tx, { organizationId });
    if (organization === undefined) {
      // An endpoint of a deleted organization would never be deleted.
      throw notFound('organization');
    }
    if ((await countEndpoints(tx, { organizationId })).count >= MAX_ENDPOINTS) {
      throw tooManyEndpoints();
    }
    await insertEndpoint(tx, {
      ...ids,
      clockOffsetMs: organization.clock_offset_ms,
      url: input.url,
      events,
      description: input.description ?? null,
      destination: destinationOf(input.url),
    });
    await insertSecret(tx, { ...ids, id: secretId, encrypted });
    const row = await findEndpoint(tx, ids);
    if (row === undefined) {
      throw new Error('an endpoint that was just written is missing');
    }
    const after = presentEndpoint(row);
    await recordAudit(tx, actorOf(context), {
      action: 'webhook.created',
      targetType: 'webhook',
      targetId: ids.endpointId,
      after,
    });
    return { data: { ...after, secret } };
  });
}
