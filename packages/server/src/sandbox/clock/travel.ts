import { setTimeout as pause } from 'node:timers/promises';
import { httpError, notFound } from '../../http/index.ts';
import { lockOrganizationClock, updateClockOffset } from '../../organizations/index.ts';
import type { ClockTools } from './clock-tools.ts';
import { type Move, renewMove } from './move-queries.ts';

/**
 * Moves a clock from one due time to the next and lets the rooms do what is due, until nothing is due before the target. What
 * others are doing meanwhile, such as the jobs of another process, is waited for: nothing comes before what was due earlier.
 * Ends between two steps on `ending`, with service_unavailable: whoever asks again goes on from there.
 */
export async function travel(tools: ClockTools, move: Move, ending: AbortSignal): Promise<void> {
  await runDue(tools, move, ending);
  let idleSinceMs: number | undefined;
  for (;;) {
    if (ending.aborted) {
      throw notThereYet();
    }
    const dueMs = await findNextDueMs(tools, move);
    if (dueMs === undefined) {
      return;
    }
    const movedMs = await tools.database.transaction((tx) => moveClockTo(tools, tx, move, dueMs));
    if ((await runDue(tools, move, ending)) > 0 || movedMs > 0) {
      idleSinceMs = undefined;
      continue;
    }
    idleSinceMs ??= performance.now();
    if (performance.now() - idleSinceMs > PATIENCE_MS) {
      throw notThereYet('30');
    }
    await pause(LOOK_AGAIN_MS);
  }
}

type Transaction = Parameters<Parameters<ClockTools['database']['transaction']>[0]>[0];

/**
 * Sets the clock to a time, never back and never past the target, with everything that the rooms keep in real time; answers by
 * how much it moved. Throws conflict when another process has taken the move over.
 */
export async function moveClockTo(tools: ClockTools, tx: Transaction, move: Move, timeMs: number): Promise<number> {
  const { organizationId, targetOffsetMs } = move;
  const clock = await lockOrganizationClock(tx, organizationId);
  if (clock === undefined) {
    throw notFound('organization');
  }
  if (!(await renewMove(tx, move))) {
    throw lost();
  }
  const wantedMs = Math.ceil(timeMs) - (clock.nowMs - clock.offsetMs);
  const offsetMs = Math.max(clock.offsetMs, Math.min(targetOffsetMs, wantedMs));
  const movedMs = offsetMs - clock.offsetMs;
  if (movedMs > 0) {
    await updateClockOffset(tx, organizationId, offsetMs);
    for (const traveler of tools.travelers) {
      await traveler.shift?.(tx, organizationId, movedMs);
    }
  }
  return movedMs;
}

/** What is told to whoever has to ask again. */
export function notThereYet(retryAfter = '2') {
  return httpError(
    'service_unavailable',
    'The clock has not come as far as it was to be moved; it stands where it is. Ask again under the same Idempotency-Key to go on.',
    { headers: { 'retry-after': retryAfter } },
  );
}

/** What is told to whoever finds that the move is another's by now. */
export function lost() {
  return httpError('conflict', "The organization's clock is being moved by another request by now.");
}

async function findNextDueMs({ travelers }: ClockTools, move: Move): Promise<number | undefined> {
  const due = await Promise.all(travelers.map((each) => each.nextDueMs(move.organizationId, move.targetAtMs)));
  const known = due.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** In the order of the rooms: what one announces, a later one tells of. */
async function runDue({ travelers }: ClockTools, { organizationId }: Move, ending: AbortSignal): Promise<number> {
  let count = 0;
  for (const traveler of travelers) {
    count += await traveler.runDue(organizationId, ending);
  }
  return count;
}

const LOOK_AGAIN_MS = 20;
const PATIENCE_MS = 30_000;
