import type { Queries } from '../../database/index.ts';
import { insertWaits, updateWaitsGranted } from './line-queries.ts';
import type { ClockRow } from './queries.ts';
import type { SeatDecision, SeatRequest } from './seat-rules.ts';

/** A batch with its decisions. */
export interface DecidedBatch {
  organizationId: string;
  clock: ClockRow;
  requests: readonly SeatRequest[];
  decisions: readonly SeatDecision[];
}

/**
 * Writes which machines joined a line and which got a seat. Throws if a wait changed in the meantime, which the lock
 * prevents.
 */
export async function writeWaits(
  tx: Queries,
  { organizationId, clock, requests, decisions }: DecidedBatch,
): Promise<void> {
  const grants = decisions.flatMap((decision) =>
    decision.kind === 'granted' && decision.waitId !== undefined
      ? [{ wait_id: decision.waitId, license_id: decision.license.id, session_id: decision.sessionId }]
      : [],
  );
  if (grants.length > 0) {
    const written = await updateWaitsGranted(tx, { organizationId, wallMs: clock.wall_ms, grants });
    if (written !== grants.length) {
      throw new Error(`${grants.length} waits were granted but ${written} were in line`);
    }
  }
  const joining = decisions.flatMap((decision, index) => {
    const request = requests[index];
    return decision.kind === 'waiting' && decision.isNew && request !== undefined
      ? [joiningRow(decision, request, index)]
      : [];
  });
  if (joining.length > 0) {
    await insertWaits(tx, { organizationId, wallMs: clock.wall_ms, waits: joining });
  }
}

function joiningRow(decision: SeatDecision & { kind: 'waiting' }, request: SeatRequest, rank: number) {
  return {
    id: decision.waitId,
    license_id: decision.license.id,
    user_id: request.userId,
    hardware_id: request.hardwareId,
    metadata: request.metadata,
    offline_seconds: request.offlineSeconds ?? null,
    deadline_ms: decision.deadlineMs,
    rank,
  };
}
