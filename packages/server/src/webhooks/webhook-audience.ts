import { type Audience, defineEventInsert, defineEventWriter } from '../events/index.ts';
import type { Nudge } from '../jobs/index.ts';

/** What the outbox needs to know about webhooks: whether an organization has endpoints, and which job to wake. */
export function webhookAudience(announced: Nudge): Audience {
  return { insertEvents: insertHeardEvents, onAnnounced: () => announced.ring() };
}

const hasEndpoints = (organizationId: string) =>
  `exists (select from webhook_endpoints where organization_id = ${organizationId} and deleted_at is null)`;

const insertHeardEvents = defineEventInsert(hasEndpoints);

/** For statements that write their events themselves. */
export const writeHeardEvents = defineEventWriter(hasEndpoints);
