import { createHmac } from 'node:crypto';
import type { Queries } from '../../database/index.ts';
import {
  type AuthorizedContext,
  httpError,
  keyReused,
  notFound,
  requestInProgress,
  type Unfinished,
} from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { lockOrganizationClock } from '../../organizations/index.ts';
import type { MasterKey } from '../../security/index.ts';
import type { ClockTools } from './clock-tools.ts';
import { findMove, insertMove, type Move } from './move-queries.ts';

/**
 * Writes down where an organization's clock is to be moved, so that nobody else moves it. A request that is repeated after the
 * process which served it died goes on to where it led. Refused with conflict while another is at it.
 */
export async function beginMove(
  { masterKey }: ClockTools,
  tx: Queries,
  { principal, headers }: Pick<AuthorizedContext, 'principal' | 'headers'>,
  seconds: number,
): Promise<Unfinished<Move>> {
  const { organizationId, userId } = principal;
  const clock = await lockOrganizationClock(tx, organizationId);
  if (clock === undefined) {
    throw notFound('organization');
  }
  const requestKey = requestKeyOf(masterKey, userId, headers['idempotency-key']);
  const left = await findMove(tx, organizationId);
  const isRepeated = requestKey !== undefined && left?.request_key?.equals(requestKey) === true;
  if (left?.is_leased === true) {
    throw isRepeated ? requestInProgress() : httpError('conflict', "The organization's clock is being moved already.");
  }
  if (isRepeated && left !== undefined && left.seconds !== seconds) {
    throw keyReused();
  }
  const move: Move = {
    organizationId,
    moveId: newId('claim'),
    seconds,
    ...(isRepeated && left !== undefined
      ? { targetOffsetMs: left.target_offset_ms, beganAtMs: left.began_at_ms, targetAtMs: left.target_at_ms }
      : {
          targetOffsetMs: clock.offsetMs + seconds * 1_000,
          beganAtMs: clock.nowMs,
          targetAtMs: clock.nowMs + seconds * 1_000,
        }),
  };
  requireWithinReach(move);
  await insertMove(tx, move, requestKey);
  return { unfinished: move };
}

/** Far enough for whatever renews, and times still have four digits for their year. */
function requireWithinReach({ targetOffsetMs }: Move): void {
  if (targetOffsetMs > FARTHEST_MS) {
    throw httpError('validation_failed', "An organization's clock can run 100 years ahead of real time, and no more.", {
      details: { field: 'seconds', reason: 'max' },
    });
  }
}

const FARTHEST_MS = 36_525 * 86_400_000;

/** Keyed, so that the table tells nobody what the key was. */
function requestKeyOf(masterKey: MasterKey, userId: string, key: string | string[] | undefined): Buffer | undefined {
  return typeof key === 'string'
    ? createHmac('sha256', masterKey.deriveKey('sandbox-clock')).update(`${userId}\n${key}`).digest()
    : undefined;
}
