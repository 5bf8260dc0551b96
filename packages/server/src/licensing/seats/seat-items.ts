import type { FeatureValue } from '../../billing/index.ts';
import type { ApiError } from '../../http/index.ts';
import type { UnsignedToken } from '../license-tokens/license-token.ts';
import type { SeatRequest } from './seat-rules.ts';

/** The caller of a request about a session. */
export interface SessionCaller {
  userId: string;
  /** Admins may keep alive and release anyone's session. */
  isAdmin: boolean;
}

/** A request for a seat in a batch of its organization. */
export interface AcquireItem {
  request: SeatRequest;
  clockOffsetMs: number;
  /**
   * The caller's token, if it was not checked yet. The item is then only valid as far as `takeFreeSeats` confirms it.
   */
  uncheckedTokenHash?: Buffer;
}

/** The license that refused a seat, at that moment. */
export interface RefusingLicense {
  licenseId: string;
  /** On the organization's clock. */
  atMs: number;
  activeSeats: number;
  maxSeats: number;
}

/** `by` is undefined if there is no such license. */
export type AcquireOutcome =
  | { refusal: ApiError; by?: RefusingLicense }
  | { isNew: boolean; grant: SeatGrant }
  | { place: PlaceInLine }
  /** The requested wait has ended. */
  | { isOver: true };

/** The position of a machine waiting for a seat. */
export interface PlaceInLine {
  licenseId: string;
  waitId: string;
  position: number;
  /** On the organization's clock. */
  expiresAtMs: number;
  /** The license's number of changes before the request. */
  changes: number;
}

/** A granted seat with its unsigned token. Stored in this form for an Idempotency-Key. */
export interface SeatGrant {
  session_id: string;
  expires_at: string;
  heartbeat_interval: number;
  features: Readonly<Record<string, FeatureValue>>;
  offline_until?: string;
  token: UnsignedToken;
}

/** A heartbeat in a batch. A batch holds heartbeats of any organizations. */
export interface HeartbeatItem {
  organizationId: string;
  sessionId: string;
  caller: SessionCaller;
  clockOffsetMs: number;
  /** The caller's token, if it was not checked yet. The statement checks it, but only reports that something failed. */
  uncheckedTokenHash?: Buffer;
}

export type HeartbeatOutcome = { refusal: ApiError } | { answer: HeartbeatAnswer } | 'unconfirmed';

/** The answer to a heartbeat, with its new token, if any, not yet signed. */
export interface HeartbeatAnswer {
  session_id: string;
  status: 'active';
  next_heartbeat_due: string;
  token?: UnsignedToken;
}

/** A release in a batch of its organization. */
export interface ReleaseItem {
  sessionId: string;
  caller: SessionCaller;
  clockOffsetMs: number;
  /**
   * The caller's token, if it was not checked yet. The item is then only valid as far as `releaseLiveSessions` confirms
   * it.
   */
  uncheckedTokenHash?: Buffer;
}

/** `isFirst`: the session held its seat until now. `mayRunUntilMs`: its program may not notice before, because it is offline. */
export type ReleaseOutcome = { refusal: ApiError } | { releasedAtMs: number; isFirst: boolean; mayRunUntilMs?: number };
