import { type CountedResource, ResourceMemory } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import type { LicensingTools } from '../licensing-tools.ts';

/** Counts heartbeats or releases per seat session, so that any number of seats can share one token. */
export function countBySession(
  tools: Pick<LicensingTools, 'seatTotals'>,
  limit: 'heartbeat' | 'release',
): CountedResource {
  return {
    limit,
    idOf: sessionIdOf,
    standingOf: (code) => STANDINGS[code],
    memory: new ResourceMemory(),
    // If a thousand seats time out at once, all their programs get that answer.
    endedAtLeast: ({ organizationId }) => acquiresAMinute(tools, organizationId),
  };
}

/**
 * The minimum acquires per minute for an organization's users: enough to take all seats, lose them and take them again.
 */
export function acquiresAMinute(
  tools: Pick<LicensingTools, 'seatTotals'>,
  organizationId: string,
): number | Promise<number> {
  const seats = tools.seatTotals.of(organizationId);
  return typeof seats === 'number' ? 2 * seats : seats.then((found) => 2 * found);
}

/**
 * The refusals that only the owner of a session or wait, or an admin, can get. Any other refusal counts against the
 * user.
 */
export const STANDINGS: Readonly<Partial<Record<string, 'live' | 'ended'>>> = {
  session_timeout: 'ended',
  session_released: 'ended',
  license_expired: 'live',
  license_suspended: 'live',
  license_revoked: 'live',
};

/**
 * The session ID of a body that contains nothing else, as serialized by every JSON library. A body in any other form
 * counts against the user, even if it is equivalent, so that no body can count for one session and be about another.
 */
export function sessionIdOf(rawBody: Buffer | undefined): string | undefined {
  return rawBody === undefined || rawBody.length > MAX_BODY ? undefined : BODY.exec(rawBody.toString('latin1'))?.[1];
}

const MAX_BODY = 200;
const SPACE = '[ \\t\\r\\n]*';
const BODY = new RegExp(
  `^${SPACE}\\{${SPACE}"session_id"${SPACE}:${SPACE}"(${idPattern('seatSession').slice(1, -1)})"${SPACE}\\}${SPACE}$`,
);
