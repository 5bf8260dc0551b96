import { setTimeout as pause } from 'node:timers/promises';
import { httpError, notFound } from '../../http/index.ts';
import { lockOrganizationClock, updateClockOffset } from '../../organizations/index.ts';
import type { ClockTools } from './clock-tools.ts';
import { LEASE_MS, type Move, updateMoveLease } from './move-queries.ts';

/**
 * Moves a clock from one due time to the next and lets the rooms run what is due, until nothing is due before the target. It
 * waits for work that others have claimed, such as jobs of another process, so everything happens in order. On `ending` it
 * stops between two steps with service_unavailable; repeating the request continues from there.
 */
export async function travel(tools: ClockTools, move: Move, ending: AbortSignal): Promise<void> {
  await runDue(tools, move, ending);
  let idleSinceMs: number | undefined;
  for (;;) {
    if (ending.aborted) {
      throw moveUnfinished();
    }
    const dueMs = await findNextDueMs(tools, move);
    if (dueMs === undefined) {
      return;
    }
    const movedMs = await tools.database.transaction((tx) => moveClockTo(tx, tools, move, dueMs));
    if ((await runDue(tools, move, ending)) > 0 || movedMs > 0) {
      idleSinceMs = undefined;
      continue;
    }
    idleSinceMs ??= performance.now();
    if (performance.now() - idleSinceMs > PATIENCE_MS) {
      throw moveUnfinished('30');
    }
    await pause(POLL_MS);
  }
}

type Transaction = Parameters<Parameters<ClockTools['database']['transaction']>[0]>[0];

/**
 * Sets the clock to a time, never back and never past the target, and shifts the rooms' real times. Returns by how much
 * it moved. Throws conflict if another process has taken over the move.
 */
export async function moveClockTo(tx: Transaction, tools: ClockTools, move: Move, timeMs: number): Promise<number> {
  const { organizationId, targetOffsetMs } = move;
  const clock = await lockOrganizationClock(tx, organizationId);
  if (clock === undefined) {
    throw notFound('organization');
  }
  if ((await updateMoveLease(tx, { ...move, leaseMs: LEASE_MS })) === 0) {
    throw moveTakenOver();
  }
  const wantedMs = Math.ceil(timeMs) - (clock.nowMs - clock.offsetMs);
  const offsetMs = Math.max(clock.offsetMs, Math.min(targetOffsetMs, wantedMs));
  const movedMs = offsetMs - clock.offsetMs;
  if (movedMs > 0) {
    await updateClockOffset(tx, { organizationId, offsetMs });
    for (const traveler of tools.travelers) {
      await traveler.shift?.(tx, organizationId, movedMs);
    }
  }
  return movedMs;
}

/** The refusal that asks the client to repeat the request. */
export function moveUnfinished(retryAfter = '2') {
  return httpError(
    'service_unavailable',
    'The clock has not reached its target yet. Repeat the request with the same Idempotency-Key to continue.',
    { headers: { 'retry-after': retryAfter } },
  );
}

/** The refusal when another process has taken over the move. */
export function moveTakenOver() {
  return httpError('conflict', "Another request is now moving the organization's clock.");
}

async function findNextDueMs({ travelers }: ClockTools, move: Move): Promise<number | undefined> {
  const due = await Promise.all(travelers.map((each) => each.nextDueMs(move.organizationId, move.targetAtMs)));
  const known = due.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** In the order of the rooms: later ones deliver what earlier ones announce. */
async function runDue({ travelers }: ClockTools, { organizationId }: Move, ending: AbortSignal): Promise<number> {
  let count = 0;
  for (const traveler of travelers) {
    count += await traveler.runDue(organizationId, ending);
  }
  return count;
}

const POLL_MS = 20;
const PATIENCE_MS = 30_000;
