import { recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { listAdminEmails } from '../../organizations/index.ts';
import { type EndpointKey, idsOf } from '../endpoint-state/endpoint-key.ts';
import { DISABLED_REASON } from '../endpoint-state/health-rules.ts';
import { updateEndpointDisabled } from '../endpoint-state/state-queries.ts';
import type { DeliveryTools } from './delivery-tools.ts';

/** Disables an endpoint that failed for too long, and mails the admins; its lock is held. Its events are held from now on. */
export async function disableFailingEndpoint(
  tx: Queries,
  { mailer }: Pick<DeliveryTools, 'mailer'>,
  key: EndpointKey,
): Promise<void> {
  await updateEndpointDisabled(tx, { ...idsOf(key), reason: DISABLED_REASON });
  const actor = {
    organizationId: key.organization_id,
    userId: null,
    credentialKind: 'none' as const,
    credentialId: null,
    requestId: null,
    clientAddress: null,
  };
  await recordAudit(tx, actor, {
    action: 'webhook.disabled',
    targetType: 'webhook',
    targetId: key.endpoint_id,
    before: { status: 'active', disabled_reason: null },
    after: { status: 'disabled', disabled_reason: DISABLED_REASON },
  });
  for (const recipient of await listAdminEmails(tx, key.organization_id)) {
    await mailer.queue(tx, { kind: 'webhook-disabled', recipient, content: noticeOf(key.endpoint_id) });
  }
}

/** Without the endpoint's URL: it is the customer's text, and may contain a secret. */
function noticeOf(endpointId: string) {
  return {
    subject: 'A webhook endpoint was disabled',
    paragraphs: [
      `We disabled your webhook endpoint ${endpointId} because every delivery attempt failed for five days.`,
      'Its events are held, so nothing is lost. When the endpoint works again, enable it with PATCH {"status": "active"} and replay the held events.',
    ],
  };
}
