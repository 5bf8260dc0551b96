import { actorOf, recordAudit } from '../../audit/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { idsOf } from '../endpoint-state/endpoint-key.ts';
import { encryptSecret, newSecret } from '../signing/secrets.ts';
import type { EndpointTools } from './endpoint-tools.ts';
import { lockEndpoint } from './lock-endpoint.ts';
import { presentEndpoint } from './present-endpoint.ts';
import { DEFAULT_OVERLAP_SECONDS, type RotatedWebhookEndpoint, type SecretRotation } from './schemas.ts';
import { deleteOldSecrets, findOverlapEnd, insertSecret, updateSecretEnds } from './secret-queries.ts';

/**
 * Gives an endpoint a new secret and returns it, only this once. Previous secrets sign for the overlap, or until their
 * own end; of more than three, the oldest ends immediately. Throws not_found.
 */
export async function rotateSecret(
  context: AuthorizedContext,
  { masterKey }: Pick<EndpointTools, 'masterKey'>,
  id: string,
  { secret = newSecret(), overlap_seconds: overlapSeconds = DEFAULT_OVERLAP_SECONDS }: SecretRotation,
): Promise<RotatedWebhookEndpoint> {
  const key = { organization_id: context.principal.organizationId, endpoint_id: id };
  const ids = idsOf(key);
  const secretId = newId('webhookSecret');
  const encrypted = encryptSecret(masterKey, secretId, secret);
  return context.database.transaction(async (tx) => {
    const row = await lockEndpoint(tx, key);
    const { ends_at: endsBefore } = await findOverlapEnd(tx, ids);
    await updateSecretEnds(tx, { ...ids, overlapSeconds });
    await deleteOldSecrets(tx, { ...ids, kept: MAX_LIVE_SECRETS - 1 });
    await insertSecret(tx, { ...ids, id: secretId, encrypted });
    const { ends_at: endsAfter } = await findOverlapEnd(tx, ids);
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
