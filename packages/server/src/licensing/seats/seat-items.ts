import type { FeatureValue } from '../../billing/index.ts';
import type { ApiError } from '../../http/index.ts';
import type { UnsignedToken } from '../license-tokens/license-token.ts';
import type { SeatRequest } from './seat-rules.ts';

/** Who asks about a session. */
export interface SessionCaller {
  userId: string;
  /** Admins may keep alive and release anyone's session. */
  isAdmin: boolean;
}

/** One request for a seat as it waits in a batch of its organization. */
export interface AcquireItem {
  request: SeatRequest;
  clockOffsetMs: number;
}

export type AcquireOutcome = { refusal: ApiError } | { isNew: boolean; grant: SeatGrant };

/** A seat given, before its token is signed: what an Idempotency-Key keeps. */
export interface SeatGrant {
  session_id: string;
  expires_at: string;
  heartbeat_interval: number;
  features: Readonly<Record<string, FeatureValue>>;
  token: UnsignedToken;
}

/** One heartbeat as it waits in a batch; a batch holds heartbeats of any organizations. */
export interface BeatItem {
  organizationId: string;
  sessionId: string;
  caller: SessionCaller;
  clockOffsetMs: number;
  /** The caller's token where nobody checked it yet: the statement does, and tells no more than that it failed. */
  uncheckedTokenHash?: Buffer;
}

export type BeatOutcome = { refusal: ApiError } | { beat: Beat } | 'unconfirmed';

/** A heartbeat's answer before a fresh token, if there is one, is signed. */
export interface Beat {
  session_id: string;
  status: 'active';
  next_heartbeat_due: string;
  token?: UnsignedToken;
}

/** One release as it waits in a batch of its organization. */
export interface ReleaseItem {
  sessionId: string;
  caller: SessionCaller;
  clockOffsetMs: number;
}

/** `isFirst`: the session held its seat until now. */
export type ReleaseOutcome = { refusal: ApiError } | { releasedAtMs: number; isFirst: boolean };
