import { recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { listAdminEmails } from '../../organizations/index.ts';
import type { Delivering, EndpointKey } from './delivering.ts';
import { DISABLED_REASON } from './health-rules.ts';
import { disableEndpointState } from './state-queries.ts';

/** Disables an endpoint that failed for too long, whose lock is held, and mails the admins. Its events are held from now on. */
export async function giveUpEndpoint(
  { mailer }: Pick<Delivering, 'mailer'>,
  tx: Queries,
  key: EndpointKey,
): Promise<void> {
  await disableEndpointState(tx, key, DISABLED_REASON);
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

/** Without the endpoint's address: it is the customer's text, and may hold a secret. */
function noticeOf(endpointId: string) {
  return {
    subject: 'A webhook endpoint was disabled',
    paragraphs: [
      `Your webhook endpoint ${endpointId} gets no more events: every attempt to reach it failed for five days.`,
      'Events are held meanwhile and nothing is lost. When the endpoint answers again, enable it with PATCH {"status": "active"} and replay what was held.',
    ],
  };
}
