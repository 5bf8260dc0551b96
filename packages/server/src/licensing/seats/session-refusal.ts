import { isoTime } from '../../clock/index.ts';
import { type ApiError, httpError, notFound } from '../../http/index.ts';
import { licensingError } from '../errors.ts';
import type { SessionStandingRow } from './heartbeat-queries.ts';
import { licenseRefusal } from './license-refusal.ts';
import type { SessionCaller } from './seat-items.ts';

/** Whether the session is the caller's own, or the caller an admin. */
export function mayTouch(caller: SessionCaller, ownerId: string | null): boolean {
  return caller.isAdmin || caller.userId === ownerId;
}

/** Why a session cannot be kept alive; `standing` is undefined when the organization has no such session. */
export function heartbeatRefusal(caller: SessionCaller, standing: SessionStandingRow | undefined): ApiError {
  const early = ownershipRefusal(caller, standing);
  if (early !== undefined || standing === undefined) {
    return early ?? notFound('session');
  }
  if (standing.status === 'released') {
    return licensingError('session_released', 'The session was released.', {
      released_at: isoTime(standing.ended_at_ms ?? 0),
    });
  }
  if (standing.status === 'timed_out') {
    return timeoutRefusal(standing);
  }
  if (standing.license_state !== 'active') {
    return licenseRefusal(standing.license_state, 0);
  }
  // What held the session back a moment ago may have passed since; the client asks again.
  return standing.is_license_expired
    ? licenseRefusal('expired', standing.license_expires_at_ms)
    : httpError('conflict', 'The license was just changed; send the heartbeat again.');
}

/** Not there, or somebody else's. */
export function ownershipRefusal(
  caller: SessionCaller,
  standing: SessionStandingRow | undefined,
): ApiError | undefined {
  if (standing === undefined) {
    return notFound('session');
  }
  return mayTouch(caller, standing.user_id)
    ? undefined
    : httpError('forbidden', 'This is another user’s session; an admin may release it.', {
        details: { required_role: 'admin' },
      });
}

export function timeoutRefusal(standing: SessionStandingRow): ApiError {
  return licensingError('session_timeout', 'The session missed its heartbeats and lost its seat; acquire a new one.', {
    last_heartbeat: isoTime(standing.last_heartbeat_ms),
    timeout_at: isoTime(standing.ended_at_ms ?? 0),
  });
}
