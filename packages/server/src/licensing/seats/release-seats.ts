import { actorOf, recordAudit } from '../../audit/index.ts';
import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, notFound, type Principal } from '../../http/index.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { endSessions } from './end-sessions.ts';
import { listSessionStatuses, type SessionStatusRow } from './heartbeat-queries.ts';
import type { SlotRow } from './queries.ts';
import { mayTouch, ownershipRefusal, timeoutRefusal } from './refusals.ts';
import { releaseLiveSessions } from './release-live-sessions.ts';
import type { ReleaseItem, ReleaseOutcome, SessionCaller } from './seat-items.ts';

/** Releases a seat. Releasing it again returns the first release. Throws session_timeout, forbidden or not_found. */
export async function releaseSeat(
  context: AuthorizedContext,
  tools: LicensingTools,
  input: { session_id: string },
): Promise<Answer<unknown>> {
  const outcome =
    context.principal.acting === undefined
      ? await releaseAsMember(context, tools, input.session_id)
      : await releaseInCustomersName(context, tools, input.session_id);
  if (outcome === undefined || 'refusal' in outcome) {
    throw outcome?.refusal ?? notFound('session');
  }
  const mayRun = outcome.mayRunUntilMs === undefined ? {} : { may_run_until: isoTime(outcome.mayRunUntilMs) };
  return {
    data: { session_id: input.session_id, status: 'released', released_at: isoTime(outcome.releasedAtMs), ...mayRun },
    isAboutEnded: !outcome.isFirst,
  };
}

async function releaseAsMember(
  context: AuthorizedContext,
  tools: LicensingTools,
  sessionId: string,
): Promise<ReleaseOutcome | undefined> {
  const { database, token, principal: unchecked } = context;
  const live = await releaseLive(database, tools, unchecked, {
    ...itemOf(sessionId, unchecked),
    ...(token === undefined ? {} : { uncheckedTokenHash: token.hash }),
  });
  if (live !== undefined) {
    return live;
  }
  const principal = token === undefined ? unchecked : await token.confirm();
  return principal.acting === undefined
    ? release(database, tools, principal, itemOf(sessionId, principal))
    : // They were a member a moment ago, and are now only staff.
      releaseInCustomersName({ ...context, principal }, tools, sessionId);
}

/** A release by the vendor's staff or programs: in its own transaction, with an entry in the customer's audit log. */
async function releaseInCustomersName(
  context: AuthorizedContext,
  tools: LicensingTools,
  sessionId: string,
): Promise<ReleaseOutcome | undefined> {
  const { database, principal } = context;
  return database.transaction(async (tx) => {
    const [outcome] = await releaseSeats(tx, tools, principal.organizationId, [itemOf(sessionId, principal)]);
    if (outcome !== undefined && 'isFirst' in outcome && outcome.isFirst) {
      await recordAudit(tx, actorOf(context), {
        action: 'license.seat.released',
        targetType: 'session',
        targetId: sessionId,
        before: { status: 'active' },
        after: { status: 'released' },
      });
    }
    return outcome;
  });
}

function itemOf(sessionId: string, { userId, role, clockOffsetMs }: Principal): ReleaseItem {
  return { sessionId, caller: { userId, isAdmin: role === 'admin' }, clockOffsetMs };
}

async function releaseLive(
  database: Queries,
  tools: LicensingTools,
  { organizationId, activation }: Principal,
  item: ReleaseItem,
): Promise<ReleaseOutcome | undefined> {
  if (activation !== undefined) {
    // The single statement writes the event of a user's release.
    return undefined;
  }
  return database.inTransaction
    ? (await releaseLiveSessions(database, tools, organizationId, [item]))[0]
    : tools.liveReleases.submit(organizationId, item);
}

async function release(
  database: Queries,
  tools: LicensingTools,
  { organizationId }: Principal,
  item: ReleaseItem,
): Promise<ReleaseOutcome | undefined> {
  return database.inTransaction
    ? (await releaseSeats(database, tools, organizationId, [item]))[0]
    : tools.releases.submit(organizationId, item);
}

/** Runs one batch of one organization: ends the sessions that are alive, then looks up the others. */
export async function releaseSeats(
  tx: Queries,
  tools: Pick<LicensingTools, 'outbox'>,
  organizationId: string,
  items: readonly ReleaseItem[],
): Promise<readonly ReleaseOutcome[]> {
  const clockOffsetMs = items[0]?.clockOffsetMs ?? 0;
  const bySession = Map.groupBy(items, (item) => item.sessionId);
  const releaserOf = (slot: SlotRow) =>
    (bySession.get(slot.session_id ?? '') ?? []).find((item) => mayTouch(item.caller, slot.user_id))?.caller.userId;
  const mayEnd = (slot: SlotRow) => releaserOf(slot) !== undefined;
  const releasedBy = (slot: SlotRow) => releaserOf(slot) ?? null;
  const sessionIds = [...bySession.keys()];
  const ending = { organizationId, clockOffsetMs, sessionIds, status: 'released', mayEnd, releasedBy } as const;
  const { ended, clock } = await endSessions(tx, tools, ending);
  const released = new Map(ended.map((slot) => [slot.session_id, slot]));
  const asked = sessionIds
    .filter((id) => !released.has(id))
    .map((id) => ({ organization_id: organizationId, offset_ms: clockOffsetMs, session_id: id }));
  const statuses = asked.length === 0 ? [] : await listSessionStatuses(tx, { asked });
  return items.map((item) => {
    const slot = released.get(item.sessionId);
    if (slot === undefined) {
      return decideRelease(
        item.caller,
        statuses.find((each) => each.id === item.sessionId),
        false,
      );
    }
    return decideRelease(item.caller, releasedNow(organizationId, item.sessionId, slot, clock?.wall_ms ?? 0), true);
  });
}

function releasedNow(organizationId: string, id: string, slot: SlotRow, wallMs: number): SessionStatusRow {
  return {
    organization_id: organizationId,
    id,
    user_id: slot.user_id ?? '',
    status: 'released',
    license_state: 'active',
    license_expires_at_ms: 0,
    is_license_expired: false,
    is_user_allowed: true,
    last_heartbeat_ms: wallMs,
    ended_at_ms: Math.round(wallMs),
    may_run_until_ms: slot.offline_until_ms,
  };
}

function decideRelease(caller: SessionCaller, found: SessionStatusRow | undefined, isFirst: boolean): ReleaseOutcome {
  const refusal = ownershipRefusal(caller, found);
  if (refusal !== undefined || found === undefined) {
    return { refusal: refusal ?? notFound('session') };
  }
  return found.status === 'released'
    ? { releasedAtMs: found.ended_at_ms ?? 0, isFirst, ...mayRunOf(caller, found) }
    : { refusal: timeoutRefusal(found) };
}

/** The program of an offline seat that someone else released may run until the seat would have ended. */
function mayRunOf(caller: SessionCaller, found: SessionStatusRow): { mayRunUntilMs?: number } {
  return found.may_run_until_ms === null || caller.userId === found.user_id
    ? {}
    : { mayRunUntilMs: found.may_run_until_ms };
}
