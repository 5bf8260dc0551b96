import { createHmac } from 'node:crypto';
import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, httpError, keyReused, notFound, requestInProgress } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { lockOrganizationClock } from '../../organizations/index.ts';
import type { MasterKey } from '../../security/index.ts';
import type { ClockTools } from './clock-tools.ts';
import { findMove, LEASE_MS, type Move, upsertMove } from './move-queries.ts';

/**
 * Claims the move of an organization's clock, so no other request moves it. A request that is repeated after its
 * process died continues to the same target. Throws conflict while another request moves the clock.
 */
export async function beginMove(
  tx: Queries,
  { principal, headers }: Pick<AuthorizedContext, 'principal' | 'headers'>,
  { masterKey }: ClockTools,
  seconds: number,
): Promise<{ kind: 'begun'; move: Move }> {
  const { organizationId, userId } = principal;
  const clock = await lockOrganizationClock(tx, organizationId);
  if (clock === undefined) {
    throw notFound('organization');
  }
  const requestKey = requestKeyOf(masterKey, userId, headers['idempotency-key']);
  const unfinished = await findMove(tx, { organizationId });
  const isRepeated = requestKey !== undefined && unfinished?.request_key?.equals(requestKey) === true;
  if (unfinished?.is_leased === true) {
    throw isRepeated ? requestInProgress() : httpError('conflict', "The organization's clock is already being moved.");
  }
  if (isRepeated && unfinished !== undefined && unfinished.seconds !== seconds) {
    throw keyReused();
  }
  const move: Move = {
    organizationId,
    moveId: newId('claim'),
    seconds,
    ...(isRepeated && unfinished !== undefined
      ? {
          targetOffsetMs: unfinished.target_offset_ms,
          beganAtMs: unfinished.began_at_ms,
          targetAtMs: unfinished.target_at_ms,
        }
      : {
          targetOffsetMs: clock.offsetMs + seconds * 1_000,
          beganAtMs: clock.nowMs,
          targetAtMs: clock.nowMs + seconds * 1_000,
        }),
  };
  requireWithinReach(move);
  await upsertMove(tx, { ...move, requestKey: requestKey ?? null, leaseMs: LEASE_MS });
  return { kind: 'begun', move };
}

/** Far enough for every renewal, and years still have four digits. */
function requireWithinReach({ targetOffsetMs }: Move): void {
  if (targetOffsetMs > FARTHEST_MS) {
    throw httpError('validation_failed', "An organization's clock can run at most 100 years ahead of real time.", {
      details: { field: 'seconds', reason: 'max' },
    });
  }
}

const FARTHEST_MS = 36_525 * 86_400_000;

/** A keyed hash, so the table does not reveal the key. */
function requestKeyOf(masterKey: MasterKey, userId: string, key: string | string[] | undefined): Buffer | undefined {
  return typeof key === 'string'
    ? createHmac('sha256', masterKey.deriveKey('sandbox-clock')).update(`${userId}\n${key}`).digest()
    : undefined;
}
