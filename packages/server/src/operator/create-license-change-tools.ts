import { OPERATOR_COMMAND } from '../audit/index.ts';
import { createOutbox } from '../events/index.ts';
import { Nudge } from '../jobs/index.ts';
import type { LicenseChangeTools } from '../licensing/index.ts';
import { webhookAudience } from '../webhooks/index.ts';

/**
 * The dependencies of commands that change licenses. Their events reach webhook endpoints like any others: the service
 * finds them in the database, because it cannot be nudged from here.
 */
export function createLicenseChangeTools({ database }: Pick<LicenseChangeTools, 'database'>): LicenseChangeTools {
  return { database, outbox: createOutbox([], webhookAudience(new Nudge())), by: OPERATOR_COMMAND };
}
