import { actorOf, recordAudit } from '../../audit/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { newSecret, sealSecret } from '../signing/keep-secret.ts';
import type { EndpointTools } from './endpoint-tools.ts';
import { lockEndpoint } from './lock-endpoint.ts';
import { presentEndpoint } from './present-endpoint.ts';
import { DEFAULT_OVERLAP_SECONDS, type RotatedWebhookEndpoint, type SecretRotation } from './schemas.ts';
import { deleteOldSecrets, endSecrets, findOverlapEnd, insertSecret } from './secret-queries.ts';

/**
 * Gives an endpoint a new secret and answers it, this once. Those before it sign for the overlap, or until they end anyway;
 * of more than three the oldest ends at once. Throws not_found.
 */
export async function rotateSecret(
  context: AuthorizedContext,
  { masterKey }: Pick<EndpointTools, 'masterKey'>,
  id: string,
  { secret = newSecret(), overlap_seconds: overlapSeconds = DEFAULT_OVERLAP_SECONDS }: SecretRotation,
): Promise<RotatedWebhookEndpoint> {
  const key = { organization_id: context.principal.organizationId, endpoint_id: id };
  const secretId = newId('webhookSecret');
  const sealed = sealSecret(masterKey, secretId, secret);
  return context.database.transaction(async (tx) => {
    const row = await lockEndpoint(tx, key);
    const endsBefore = await findOverlapEnd(tx, key);
    await endSecrets(tx, key, overlapSeconds);
    await deleteOldSecrets(tx, key, MAX_LIVE_SECRETS - 1);
    await insertSecret(tx, key, secretId, sealed);
    const endsAfter = await findOverlapEnd(tx, key);
    await recordAudit(tx, actorOf(context), {
      action: 'webhook.secret_rotated',
      targetType: 'webhook',
      targetId: id,
      before: { previous_secret_expires_at: endsBefore?.toISOString() ?? null },
      after: { previous_secret_expires_at: endsAfter?.toISOString() ?? null },
    });
    return { ...presentEndpoint(row), secret, previous_secret_expires_at: endsAfter?.toISOString() ?? null };
  });
}

const MAX_LIVE_SECRETS = 3;
