import { type Answer, type ApiError, type AuthorizedContext, notFound, type Principal } from '../../http/index.ts';
import { findClockEvenIfDeleted } from '../../organizations/index.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { presentGrant } from '../seats/acquire-seat.ts';
import { listSessionStatuses } from '../seats/heartbeat-queries.ts';
import { findWait, type WaitRow } from '../seats/line-queries.ts';
import { presentPlace } from '../seats/present-place.ts';
import { heartbeatRefusal } from '../seats/refusals.ts';
import type { AcquireOutcome, PlaceInLine, SeatGrant } from '../seats/seat-items.ts';
import { cancelWait } from './leave-wait.ts';

/** The state of a wait. The token of its seat is not signed yet. */
export type WaitState =
  | ({ status: 'waiting' } & ReturnType<typeof presentPlace>)
  | { status: 'granted'; wait_id: string; grant: SeatGrant }
  | { status: 'expired' | 'canceled'; wait_id: string; reason?: string };

/**
 * Returns the state of a wait, immediately or as soon as it is its turn, and takes the reserved seat. Throws not_found,
 * the refusals of a granted session that has ended, and service_unavailable if too many requests are waiting.
 */
export async function getWait(
  context: AuthorizedContext,
  tools: LicensingTools,
  waitId: string,
  timeoutSeconds: number,
): Promise<Answer<WaitState>> {
  const untilMs = performance.now() + timeoutSeconds * 1000;
  const gone = context.whenGone();
  const { organizationId } = context.principal;
  let current = context;
  for (;;) {
    const state = await findState(current, tools, waitId);
    if (!('place' in state)) {
      return { data: state, isAboutEnded: state.status === 'expired' || state.status === 'canceled' };
    }
    const { place } = state;
    const milliseconds = untilMs - performance.now();
    if (milliseconds <= 0 || gone.aborted || tools.stopping.aborted) {
      return { data: { status: 'waiting', ...presentPlace(place) } };
    }
    const { licenseId, changes } = place;
    await tools.waitingCalls.waitForTurn({ organizationId, licenseId, waitId, changes, gone, milliseconds });
    if (gone.aborted) {
      // Nobody reads this answer. If this machine does not ask again, the next one gets the seat.
      return { data: { status: 'waiting', ...presentPlace(place) } };
    }
    // A caller whose token was revoked in the meantime gets no seat.
    await context.confirm?.();
    current = await withCurrentClock(context);
  }
}

/** Time travel may have moved the organization's clock while the request was waiting. */
async function withCurrentClock(context: AuthorizedContext): Promise<AuthorizedContext> {
  const { database, principal } = context;
  const clock = await findClockEvenIfDeleted(database, { organizationId: principal.organizationId });
  const { clock_offset_ms: clockOffsetMs = principal.clockOffsetMs } = clock ?? {};
  return { ...context, principal: { ...principal, clockOffsetMs } };
}

async function findState(
  context: AuthorizedContext,
  tools: LicensingTools,
  id: string,
): Promise<WaitState | { place: PlaceInLine }> {
  const { principal, database } = context;
  const { organizationId, userId } = principal;
  const row = await requireWait(context, id);
  if (row.status === 'expired' || row.status === 'canceled') {
    return endOf(row);
  }
  const outcome = await ask(tools, principal, row);
  if ('grant' in outcome) {
    return { status: 'granted', wait_id: id, grant: outcome.grant };
  }
  if ('place' in outcome) {
    return outcome;
  }
  if ('refusal' in outcome) {
    return refuse(context, row, outcome.refusal);
  }
  const after = await findWait(database, { organizationId, id, userId });
  if (after?.session_id != null && row.session_id === null) {
    // Another request of this wait took the seat in the meantime. This request gets the same session.
    return findState(context, tools, id);
  }
  if (after?.session_id != null) {
    throw await sessionRefusal(context, after.session_id);
  }
  return after === undefined ? endOf({ ...row, status: 'canceled' }) : endOf(after);
}

async function requireWait({ database, principal }: AuthorizedContext, id: string): Promise<WaitRow> {
  const { organizationId, userId } = principal;
  const row = await findWait(database, { organizationId, id, userId });
  if (row === undefined) {
    throw notFound('wait');
  }
  return row;
}

/** Requests the seat as the machine did, in a batch with the other acquires of its organization. */
function ask(
  tools: LicensingTools,
  { organizationId, userId, clockOffsetMs, activation }: Principal,
  row: WaitRow,
): Promise<AcquireOutcome> {
  const request = {
    key: row.license_key,
    userId,
    hardwareId: row.hardware_id,
    metadata: row.metadata,
    // A seat that the machine already has stays unchanged.
    offlineSeconds: row.status === 'waiting' ? (row.offline_seconds ?? undefined) : undefined,
    activatedLicenseId: activation?.licenseId,
    wait: { id: row.id, sessionId: row.session_id },
  };
  return tools.acquires.submit(organizationId, { request, clockOffsetMs });
}

/** A machine that may no longer have the seat must not delay others. */
async function refuse(context: AuthorizedContext, row: WaitRow, refusal: ApiError): Promise<WaitState> {
  if (row.status !== 'waiting') {
    throw refusal;
  }
  await cancelWait(context, row, refusal.code);
  return endOf({ ...row, status: 'canceled', reason: refusal.code });
}

function endOf({ id, status, reason }: WaitRow): WaitState {
  const ended = status === 'expired' ? 'expired' : 'canceled';
  return { status: ended, wait_id: id, ...(reason === null ? {} : { reason }) };
}

async function sessionRefusal({ database, principal }: AuthorizedContext, sessionId: string): Promise<ApiError> {
  const { organizationId, clockOffsetMs, userId } = principal;
  const asked = [{ organization_id: organizationId, offset_ms: clockOffsetMs, session_id: sessionId }];
  const [found] = await listSessionStatuses(database, { asked });
  return heartbeatRefusal({ userId, isAdmin: false }, found);
}

/** The response. A granted wait contains the same fields as an acquire. */
export async function presentWait(tools: LicensingTools, state: WaitState): Promise<unknown> {
  if (state.status !== 'granted') {
    return state;
  }
  const { grant, ...shown } = state;
  return { ...shown, ...Object(await presentGrant(tools, grant)) };
}
