import { actorOf, recordAudit } from '../../audit/index.ts';
import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, runEffect, runPhase } from '../../http/index.ts';
import { beginMove } from './begin-move.ts';
import type { ClockTools } from './clock-tools.ts';
import { getClock } from './get-clock.ts';
import { listHappened } from './list-happened.ts';
import { deleteMove, LEASE_MS, type Move, updateMoveLease } from './move-queries.ts';
import { moveClockTo, moveTakenOver, moveUnfinished, travel } from './travel.ts';

/**
 * Moves the clock of the caller's organization forward and runs everything that becomes due, in order. Returns when it is done.
 * Throws conflict while another request moves it, validation_failed if the target is too far away, and service_unavailable if
 * it takes too long, too many moves are waiting, or the process stops.
 */
export async function advanceClock(
  context: AuthorizedContext,
  tools: ClockTools,
  { seconds }: { seconds: number },
): Promise<Answer<unknown>> {
  const begun = await runPhase(context, (tx) => beginMove(tx, context, tools, seconds));
  if (begun.kind === 'answered') {
    return begun.answer;
  }
  const { move } = begun;
  const stopKeeping = keepLease(tools, move);
  const ending = AbortSignal.any([tools.stopping, context.whenGone(), AbortSignal.timeout(MOST_MS)]);
  try {
    await travelInTurn(tools, move, ending);
    return await runEffect(context, (tx) => endMove(tx, context, tools, move));
  } catch (error) {
    // The clock stays where it is: repeating the request with the same key continues from there.
    stopKeeping();
    await updateMoveLease(tools.database, { ...move, leaseMs: 0 }).catch(() => undefined);
    throw error;
  } finally {
    stopKeeping();
  }
}

/** Moves keep a process and its database busy, so only a few run at once. */
async function travelInTurn(tools: ClockTools, move: Move, ending: AbortSignal): Promise<void> {
  if (!(await tools.capacity.acquire(ending))) {
    throw moveUnfinished();
  }
  try {
    await travel(tools, move, ending);
  } finally {
    tools.capacity.release();
  }
}

/** Sets the clock to the exact target, and returns what happened until then. */
async function endMove(
  tx: Queries,
  context: AuthorizedContext,
  tools: ClockTools,
  move: Move,
): Promise<Answer<unknown>> {
  const { organizationId, beganAtMs, targetOffsetMs, seconds } = move;
  await moveClockTo(tx, tools, move, Number.MAX_SAFE_INTEGER);
  if ((await deleteMove(tx, move)) === 0) {
    throw moveTakenOver();
  }
  const clock = await getClock(tx, organizationId);
  await recordAudit(tx, actorOf(context), {
    action: 'sandbox_clock.advanced',
    targetType: 'organization',
    targetId: organizationId,
    before: { offset_seconds: (targetOffsetMs - seconds * 1_000) / 1_000 },
    after: { offset_seconds: clock.offset_seconds },
  });
  const { happened, count } = await listHappened(tx, organizationId, beganAtMs, MOST_LISTED);
  return { data: { ...clock, from: isoTime(beganAtMs), happened, count } };
}

/** Extends the lease for the duration of the move. Returns a function that stops it. */
function keepLease({ database }: ClockTools, move: Move): () => void {
  const timer = setInterval(
    () => void updateMoveLease(database, { ...move, leaseMs: LEASE_MS }).catch(() => undefined),
    EXTEND_EVERY_MS,
  );
  timer.unref();
  return () => clearInterval(timer);
}

/** Many clients wait at most five minutes for a response, so they get one before that. */
const MOST_MS = 240_000;
const EXTEND_EVERY_MS = 10_000;
const MOST_LISTED = 1_000;
