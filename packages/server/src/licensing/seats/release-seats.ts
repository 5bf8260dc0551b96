import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Answer, AuthorizedContext } from '../../http/index.ts';
import { notFound } from '../../http/index.ts';
import type { LicensingState } from '../state.ts';
import { endSessions } from './end-sessions.ts';
import { LIST_SESSION_STANDINGS, type SessionStandingRow } from './heartbeat-queries.ts';
import type { SlotRow } from './queries.ts';
import type { ReleaseItem, ReleaseOutcome, SessionCaller } from './seat-items.ts';
import { mayTouch, ownershipRefusal, timeoutRefusal } from './session-refusal.ts';

/** Releases a seat; once more answers the first release. Refused with session_timeout, forbidden or not_found. */
export async function releaseSeat(
  state: LicensingState,
  context: AuthorizedContext,
  input: { session_id: string },
): Promise<Answer<unknown>> {
  const { organizationId, userId, role, clockOffsetMs } = context.principal;
  const item = { sessionId: input.session_id, caller: { userId, isAdmin: role === 'admin' }, clockOffsetMs };
  const outcome = context.database.inTransaction
    ? (await releaseSeats(state, context.database, organizationId, [item]))[0]
    : await state.releases.submit(organizationId, item);
  if (outcome === undefined || 'refusal' in outcome) {
    throw outcome?.refusal ?? notFound('session');
  }
  return {
    data: { session_id: input.session_id, status: 'released', released_at: isoTime(outcome.releasedAtMs) },
    isAboutEnded: !outcome.isFirst,
  };
}

/** One batch of one organization: end those that are alive, then look up what became of the others. */
export async function releaseSeats(
  state: LicensingState,
  tx: Queries,
  organizationId: string,
  items: readonly ReleaseItem[],
): Promise<readonly ReleaseOutcome[]> {
  const offset = items[0]?.clockOffsetMs ?? 0;
  const bySession = Map.groupBy(items, (item) => item.sessionId);
  const mayEnd = (slot: SlotRow) =>
    (bySession.get(slot.session_id ?? '') ?? []).some((item) => mayTouch(item.caller, slot.user_id));
  const sessionIds = [...bySession.keys()];
  const { ended, clock } = await endSessions(state.outbox, tx, organizationId, offset, sessionIds, 'released', mayEnd);
  const released = new Map(ended.map((slot) => [slot.session_id, slot.user_id]));
  const others = [...bySession.keys()].filter((id) => !released.has(id));
  const standings =
    others.length === 0
      ? []
      : await tx.query(LIST_SESSION_STANDINGS, [others.map(() => organizationId), others.map(() => offset), others]);
  return items.map((item) => {
    const standing = released.has(item.sessionId)
      ? releasedNow(organizationId, item.sessionId, released.get(item.sessionId) ?? '', clock?.wall_ms ?? 0)
      : standings.find((each) => each.id === item.sessionId);
    return decideRelease(item.caller, standing, released.has(item.sessionId));
  });
}

type Standing = Pick<SessionStandingRow, 'status' | 'user_id' | 'last_heartbeat_ms' | 'ended_at_ms'>;

function releasedNow(organizationId: string, id: string, userId: string, wallMs: number): SessionStandingRow {
  return {
    organization_id: organizationId,
    id,
    user_id: userId,
    status: 'released',
    license_state: 'active',
    license_expires_at_ms: 0,
    is_license_expired: false,
    last_heartbeat_ms: wallMs,
    ended_at_ms: Math.round(wallMs),
  };
}

function decideRelease(
  caller: SessionCaller,
  standing: SessionStandingRow | undefined,
  isFirst: boolean,
): ReleaseOutcome {
  const refusal = ownershipRefusal(caller, standing);
  if (refusal !== undefined || standing === undefined) {
    return { refusal: refusal ?? notFound('session') };
  }
  const known: Standing = standing;
  return known.status === 'released'
    ? { releasedAtMs: known.ended_at_ms ?? 0, isFirst }
    : { refusal: timeoutRefusal(standing) };
}
