import { actorOf, recordAudit } from '../../audit/index.ts';
import { type Answer, type AuthorizedContext, notFound, runEffect } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { newSecret, sealSecret } from '../signing/keep-secret.ts';
import { destinationOf, judgeUrl, MAX_ENDPOINTS, requireKnownEvents, tooManyEndpoints } from './endpoint-rules.ts';
import type { EndpointTools } from './endpoint-tools.ts';
import { presentEndpoint } from './present-endpoint.ts';
import { countEndpoints, findEndpoint, insertEndpoint, lockForNewEndpoint } from './queries.ts';
import type { EndpointInput } from './schemas.ts';
import { insertSecret } from './secret-queries.ts';

/**
 * Makes an active endpoint and answers it with its secret, this once. Throws what `judgeUrl` refuses, validation_failed for
 * unknown events, and conflict when there are as many endpoints as there may be.
 */
export async function createEndpoint(
  context: AuthorizedContext,
  { catalogue, masterKey, sender }: EndpointTools,
  input: EndpointInput,
): Promise<Answer<unknown>> {
  const { organizationId } = context.principal;
  const key = { organization_id: organizationId, endpoint_id: newId('webhookEndpoint') };
  const secretId = newId('webhookSecret');
  const secret = input.secret ?? newSecret();
  const sealed = sealSecret(masterKey, secretId, secret);
  const refusal = await judgeUrl(sender, input.url);
  return runEffect(context, async (tx) => {
    const events = requireKnownEvents(catalogue, input.events);
    if (refusal !== undefined) {
      throw refusal;
    }
    if (!(await lockForNewEndpoint(tx, organizationId))) {
      throw notFound('organization');
    }
    if ((await countEndpoints(tx, organizationId)) >= MAX_ENDPOINTS) {
      throw tooManyEndpoints();
    }
    const content = { url: input.url, events, description: input.description ?? null };
    await insertEndpoint(tx, key, content, destinationOf(input.url));
    await insertSecret(tx, key, secretId, sealed);
    const row = await findEndpoint(tx, key);
    if (row === undefined) {
      throw new Error('an endpoint that was just written is missing');
    }
    const after = presentEndpoint(row);
    await recordAudit(tx, actorOf(context), {
      action: 'webhook.created',
      targetType: 'webhook',
      targetId: key.endpoint_id,
      after,
    });
    return { data: { ...after, secret } };
  });
}
