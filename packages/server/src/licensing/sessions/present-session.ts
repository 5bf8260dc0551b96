import { isoTime } from '../../clock/index.ts';
import { ID_PREFIXES } from '../../ids/index.ts';
import type { NamedSessionResource, NamedUserResource, SessionResource } from '../schemas.ts';
import type { ActiveSessionRow } from './queries.ts';

/** A session as its license and its events show it. */
export function presentSession(session: {
  session_id: string | null;
  user_id: string | null;
  hardware_id: string | null;
  started_at_ms: number | null;
  last_heartbeat_ms: number | null;
}): SessionResource {
  return {
    id: session.session_id ?? '',
    ...presentHolder(session.user_id ?? ''),
    hardware_id: session.hardware_id ?? '',
    started_at: isoTime(session.started_at_ms ?? 0),
    last_heartbeat: isoTime(session.last_heartbeat_ms ?? 0),
  };
}

/** The holder of a seat: a user, or an activation, whose ID takes the place of a user's. */
export function presentHolder(holderId: string): { user_id: string | null; activation_id?: string } {
  return isActivation(holderId) ? { user_id: null, activation_id: holderId } : { user_id: holderId };
}

function isActivation(holderId: string): boolean {
  return holderId.startsWith(`${ID_PREFIXES.activation}_`);
}

/** Members by ID. */
export type Names = ReadonlyMap<string, NamedUserResource>;

/** The `user` field; nothing for callers who may not see names. */
export function presentUser(userId: string | null, names: Names | undefined): { user?: NamedUserResource | null } {
  return names === undefined ? {} : { user: names.get(userId ?? '') ?? null };
}

/** A session with who uses it and where. */
export function presentNamedSession(session: ActiveSessionRow, names: Names | undefined): NamedSessionResource {
  return {
    ...presentSession(session),
    ...presentUser(session.user_id, names),
    hostname: session.hostname,
    client_version: session.client_version,
    offline_until: session.offline_until_ms === null ? null : isoTime(session.offline_until_ms),
  };
}
