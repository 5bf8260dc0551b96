import { recordAudit, staffActorOf } from '../../audit/index.ts';
import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import { type AuthorizedContext, invalidRequest, notFound, requireStaffRole } from '../../http/index.ts';
import { ORG_REINSTATED, ORG_SUSPENDED } from '../events.ts';
import type { OrganizationFacts } from './organization-facts.ts';
import { presentOperated, presentWithFacts } from './present-operated.ts';
import { lockOperatedOrganization, type OperatedRow, updateOperatedOrganization } from './queries.ts';
import type { OperatedChange, OperatedOrganization } from './schemas.ts';

/** The dependencies of changing an organization for the vendor. */
export interface OperatedTools {
  outbox: Outbox;
  clock: Clock;
  facts: OrganizationFacts;
}

/**
 * Suspends or reinstates an organization, effective at the next request of its tokens, and stores the vendor's notes on
 * it. Its licenses keep their own status. Throws `not_found`, `invalid_request` for a suspension without a reason, and
 * `forbidden` if someone other than an owner changes the status.
 */
export async function changeOperatedOrganization(
  context: AuthorizedContext,
  tools: OperatedTools,
  organizationId: string,
  change: OperatedChange,
): Promise<OperatedOrganization> {
  if (change.status !== undefined) {
    requireStaffRole(context.principal, 'owner');
  }
  requireFittingReason(change);
  requireSmallMetadata(change.metadata);
  return context.database.transaction(async (tx) => {
    const before = await lockOperatedOrganization(tx, { organizationId });
    if (before === undefined) {
      throw notFound('organization');
    }
    const after = await writeChange(tx, tools.clock, before, change);
    const [was, is] = [presentOperated(before), presentOperated(after)];
    await announceStatus(tx, tools.outbox, before, after);
    await recordAudit(tx, staffActorOf(context, organizationId), {
      action: was.status === is.status ? 'organization.annotated' : ACTIONS[is.status],
      targetType: 'organization',
      targetId: organizationId,
      // The customer can read this log, so it does not contain the vendor's notes.
      before: { status: was.status, reason: was.suspension_reason },
      after: { status: is.status, reason: is.suspension_reason },
    });
    return presentWithFacts(tx, tools.facts, after);
  });
}

const ACTIONS = { suspended: 'organization.suspended', active: 'organization.reinstated' } as const;

function requireFittingReason({ status, reason }: OperatedChange): void {
  if (status === 'suspended' && reason === undefined) {
    throw invalidRequest('reason', 'required', 'reason is required to suspend an organization.');
  }
  if (status !== 'suspended' && reason !== undefined) {
    throw invalidRequest('reason', 'unknown', 'reason can be sent only with the status suspended.');
  }
}

/** Throws `invalid_request` for too many or too long keys, which the schema cannot express. */
export function requireSmallMetadata(metadata: OperatedChange['metadata']): void {
  const keys = Object.keys(metadata ?? {});
  if (keys.length > MAX_KEYS || keys.some((key) => key === '' || key.length > MAX_KEY)) {
    throw invalidRequest(
      'metadata',
      'length',
      `metadata must have at most ${MAX_KEYS} keys of 1 to ${MAX_KEY} characters.`,
    );
  }
}

const MAX_KEYS = 50;
const MAX_KEY = 40;

async function writeChange(
  tx: Queries,
  clock: Clock,
  before: OperatedRow,
  change: OperatedChange,
): Promise<OperatedRow> {
  const at = new Date(clock.nowMs());
  const { status = before.suspended_at === null ? 'active' : 'suspended' } = change;
  const isSuspended = status === 'suspended';
  const after = await updateOperatedOrganization(tx, {
    organizationId: before.id,
    suspendedAt: isSuspended ? (before.suspended_at ?? at) : null,
    reason: isSuspended ? (change.reason ?? before.suspension_reason) : null,
    notes: change.notes === undefined ? before.notes : change.notes,
    externalId: change.external_id === undefined ? before.external_id : change.external_id,
    metadata: change.metadata === undefined ? before.metadata : change.metadata,
    at,
  });
  if (after === undefined) {
    throw new Error('an organization that is locked was not there to be changed');
  }
  return after;
}

/** Stores the vendor's notes on an organization that the caller has locked, or has just created. */
export async function annotate(
  tx: Queries,
  { clock }: Pick<OperatedTools, 'clock'>,
  organizationId: string,
  { notes, external_id, metadata }: Pick<OperatedChange, 'notes' | 'external_id' | 'metadata'>,
): Promise<OperatedRow> {
  const before = await lockOperatedOrganization(tx, { organizationId });
  if (before === undefined) {
    throw notFound('organization');
  }
  return writeChange(tx, clock, before, {
    ...(notes === undefined ? {} : { notes }),
    ...(external_id === undefined ? {} : { external_id }),
    ...(metadata === undefined ? {} : { metadata }),
  });
}

async function announceStatus(tx: Queries, outbox: Outbox, before: OperatedRow, after: OperatedRow): Promise<void> {
  const wasSuspended = before.suspended_at !== null;
  if (wasSuspended === (after.suspended_at !== null)) {
    return;
  }
  const event = wasSuspended
    ? announcement(ORG_REINSTATED, { organization_id: after.id })
    : announcement(ORG_SUSPENDED, { organization_id: after.id, reason: after.suspension_reason ?? '' });
  await outbox.announce(tx, after.id, after.clock_offset_ms, [event]);
}
