import { actorOf, recordAudit } from '../../audit/index.ts';
import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, runBeginning, runEffect } from '../../http/index.ts';
import { beginMove } from './begin-move.ts';
import type { ClockTools } from './clock-tools.ts';
import { listHappened } from './happened-queries.ts';
import { deleteMove, type Move, releaseMove, renewMove } from './move-queries.ts';
import { presentClock } from './read-clock.ts';
import { lost, moveClockTo, notThereYet, travel } from './travel.ts';

/**
 * Moves the clock of the caller's organization forward and does everything that falls due, in order; answers when it is done.
 * Refused with conflict while another request moves it, with validation_failed when it would lead too far, and with
 * service_unavailable when it takes too long, too many are at it, or the process stops.
 */
export async function advanceClock(
  tools: ClockTools,
  context: AuthorizedContext,
  { seconds }: { seconds: number },
): Promise<Answer<unknown>> {
  const begun = await runBeginning(context, (tx) => beginMove(tools, tx, context, seconds));
  if (!('unfinished' in begun)) {
    return begun;
  }
  const move = begun.unfinished;
  const stopKeeping = keepLease(tools, move);
  const ending = AbortSignal.any([tools.stopping, context.whenGone(), AbortSignal.timeout(MOST_MS)]);
  try {
    await travelInTurn(tools, move, ending);
    return await runEffect(context, (tx) => endMove(tools, tx, context, move));
  } catch (error) {
    // The clock stays where it is: whoever asks again under the same key goes on from there.
    stopKeeping();
    await releaseMove(tools.database, move).catch(() => undefined);
    throw error;
  } finally {
    stopKeeping();
  }
}

/** Moves keep a process busy, and its database: however many are asked for, few are at work. */
async function travelInTurn(tools: ClockTools, move: Move, ending: AbortSignal): Promise<void> {
  if (!(await tools.places.take(ending))) {
    throw notThereYet();
  }
  try {
    await travel(tools, move, ending);
  } finally {
    tools.places.leave();
  }
}

/** Sets the clock to exactly as far as was asked for, and tells what happened on the way. */
async function endMove(
  tools: ClockTools,
  tx: Queries,
  context: AuthorizedContext,
  move: Move,
): Promise<Answer<unknown>> {
  const { organizationId, beganAtMs, targetOffsetMs, seconds } = move;
  await moveClockTo(tools, tx, move, Number.MAX_SAFE_INTEGER);
  if (!(await deleteMove(tx, move))) {
    throw lost();
  }
  const clock = await presentClock(tx, organizationId);
  await recordAudit(tx, actorOf(context), {
    action: 'sandbox_clock.advanced',
    targetType: 'organization',
    targetId: organizationId,
    before: { offset_seconds: (targetOffsetMs - seconds * 1_000) / 1_000 },
    after: { offset_seconds: clock.offset_seconds },
  });
  const { rows, count } = await listHappened(tx, organizationId, beganAtMs, MOST_TOLD);
  const happened = rows.map(({ at, ...row }) => ({ at: isoTime(at.getTime()), ...row }));
  return { data: { ...clock, from: isoTime(beganAtMs), happened, count } };
}

/** What falls due may take its time; that somebody is at it is said all the while. Answers how to stop. */
function keepLease({ database }: ClockTools, move: Move): () => void {
  const timer = setInterval(() => void renewMove(database, move).catch(() => undefined), RENEW_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Many clients wait five minutes for an answer and no longer; they are told what to do before that. */
const MOST_MS = 240_000;
const RENEW_EVERY_MS = 10_000;
const MOST_TOLD = 1_000;
