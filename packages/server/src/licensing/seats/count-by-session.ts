import { type CountedResource, ResourceMemory } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import type { LicensingState } from '../state.ts';

/** Counts heartbeats or releases for each seat session, so that any number of seats can share one token. */
export function countBySession(state: LicensingState, limit: 'heartbeat' | 'release'): CountedResource {
  return {
    limit,
    idOf: sessionIdOf,
    standingOf: (code) => STANDINGS[code],
    memory: new ResourceMemory(),
    // If a thousand seats time out at once, all their programs get that answer.
    endedAtLeast: ({ organizationId }) => acquiresAMinute(state, organizationId),
  };
}

/**
 * How many acquires a minute an organization's users get at least: all seats can be taken, lost and taken again within it.
 */
export function acquiresAMinute(state: LicensingState, organizationId: string): number | Promise<number> {
  const seats = state.seatTotals.of(organizationId);
  return typeof seats === 'number' ? 2 * seats : seats.then((found) => 2 * found);
}

/** The refusals that only the owner of a session, or an admin, gets; any other counts against the user. */
const STANDINGS: Readonly<Partial<Record<string, 'live' | 'ended'>>> = {
  session_timeout: 'ended',
  session_released: 'ended',
  license_expired: 'live',
  license_suspended: 'live',
  license_revoked: 'live',
};

/**
 * The session of a body that holds nothing else, as every JSON library writes it. A body in any other form, even one that
 * means the same, is counted against the user: so no body can be counted as one session and be about another.
 */
export function sessionIdOf(rawBody: Buffer | undefined): string | undefined {
  return rawBody === undefined || rawBody.length > MAX_BODY ? undefined : BODY.exec(rawBody.toString('latin1'))?.[1];
}

const MAX_BODY = 200;
const SPACE = '[ \\t\\r\\n]*';
const BODY = new RegExp(
  `^${SPACE}\\{${SPACE}"session_id"${SPACE}:${SPACE}"(${idPattern('seatSession').slice(1, -1)})"${SPACE}\\}${SPACE}$`,
);
