import { isoTime } from '../../clock/index.ts';
import { type ApiError, httpError, notFound } from '../../http/index.ts';
import { licensingError } from '../errors.ts';
import type { OfflineTerms } from '../offline/offline-rules.ts';
import type { SessionStatusRow } from './heartbeat-queries.ts';
import type { SessionCaller } from './seat-items.ts';

/** Whether the session is the caller's own, or the caller is an admin. */
export function mayTouch(caller: SessionCaller, ownerId: string | null): boolean {
  return caller.isAdmin || caller.userId === ownerId;
}

/** Why a session cannot be kept alive. `found` is undefined when the organization has no such session. */
export function heartbeatRefusal(caller: SessionCaller, found: SessionStatusRow | undefined): ApiError {
  const early = ownershipRefusal(caller, found);
  if (early !== undefined || found === undefined) {
    return early ?? notFound('session');
  }
  if (found.status === 'released') {
    return licensingError('session_released', 'The session was already released.', {
      released_at: isoTime(found.ended_at_ms ?? 0),
    });
  }
  if (found.status === 'timed_out') {
    return timeoutRefusal(found);
  }
  if (found.license_state !== 'active') {
    return licenseRefusal(found.license_state, 0);
  }
  if (found.is_license_expired) {
    return licenseRefusal('expired', found.license_expires_at_ms);
  }
  // The reason may no longer apply. The client retries.
  return !found.is_user_allowed
    ? userNotAllowed()
    : httpError('conflict', 'The license changed during the request. Send the heartbeat again.');
}

/** The refusal if there is no such session, or it is another user's. */
export function ownershipRefusal(caller: SessionCaller, found: SessionStatusRow | undefined): ApiError | undefined {
  if (found === undefined) {
    return notFound('session');
  }
  return mayTouch(caller, found.user_id)
    ? undefined
    : httpError('forbidden', 'This session belongs to another user. Only that user or an admin can release it.', {
        details: { required_role: 'admin' },
      });
}

export function timeoutRefusal(found: SessionStatusRow): ApiError {
  return licensingError(
    'session_timeout',
    'The session timed out because it missed its heartbeats, and its seat was freed. Acquire a new one.',
    {
      last_heartbeat: isoTime(found.last_heartbeat_ms),
      timeout_at: isoTime(found.ended_at_ms ?? 0),
    },
  );
}

/** The refusal for a license that is not in force. */
export function licenseRefusal(kind: 'expired' | 'suspended' | 'revoked', expiredAtMs: number): ApiError {
  switch (kind) {
    case 'expired':
      return licensingError('license_expired', 'The license has expired.', { expired_at: isoTime(expiredAtMs) });
    case 'suspended':
      return licensingError('license_suspended', 'The license is suspended.');
    case 'revoked':
      return licensingError('license_revoked', 'The license is revoked.');
  }
}

/** The license is limited to certain users, and this user is not one of them. */
export function userNotAllowed(): ApiError {
  return licensingError('user_not_allowed', 'This license is limited to certain users, and you are not one of them.');
}

/** The license does not allow offline use, or not for that long, or too many seats are already offline. */
export function offlineNotAllowed(terms: OfflineTerms, maxSeats: number): ApiError {
  return licensingError(
    'offline_not_allowed',
    terms.maxOfflineSeconds === 0
      ? 'Seats of this license cannot be used offline.'
      : `Seats of this license can be used offline for at most ${terms.maxOfflineSeconds} seconds, and ${terms.minOnlineSeats} of its seats must stay online.`,
    {
      max_offline_seconds: terms.maxOfflineSeconds,
      available_offline_seats: Math.max(0, maxSeats - terms.minOnlineSeats - terms.offlineSeats),
    },
  );
}

/** All seats of a license are in use. */
export function noSeatsAvailable(maxSeats: number, activeSeats: number): ApiError {
  return licensingError('no_seats_available', 'All seats of this license are in use.', {
    max_seats: maxSeats,
    active_seats: activeSeats,
  });
}
