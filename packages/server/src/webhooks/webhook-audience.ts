import { type Audience, defineEventInsert } from '../events/index.ts';
import type { Nudge } from '../jobs/index.ts';

/** What the outbox needs to know of webhooks: whether an organization has endpoints, and whom to wake. */
export function webhookAudience(announced: Nudge): Audience {
  let isRinging = false;
  return {
    insertEvents: insertHeardEvents,
    onAnnounced: () => {
      if (!isRinging) {
        isRinging = true;
        setTimeout(() => {
          isRinging = false;
          announced.ring();
        }, COMMIT_MS).unref();
      }
    },
  };
}

const insertHeardEvents = defineEventInsert(
  (organizationId) =>
    `exists (select from webhook_endpoints where organization_id = ${organizationId} and deleted_at is null)`,
);

/** About as long as the transaction takes to commit. Where it takes longer, the next poll finds its events. */
const COMMIT_MS = 5;
