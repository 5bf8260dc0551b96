/**
 * One call as its client saw it, or a claim: all the calls, from first to last, of a machine that waited in line or
 * asked for an offline seat until it got a response. Times are in milliseconds of the client's own monotonic clock.
 */
export interface Entry {
  operation: 'acquire' | 'heartbeat' | 'release' | 'claim';
  /** Position of the license in the list of licenses. */
  license: number;
  /** The session that the call named, or that an answered acquire returned. */
  sessionId: string | undefined;
  userId: string;
  hardwareId: string;
  sentAt: number;
  receivedAt: number;
  result: Result;
  /** For an acquire of an offline seat, which does not time out within a run. */
  isOffline?: boolean;
  /** For an answered release, in ISO 8601. */
  releasedAt?: string;
  /** Details that help to understand a violation. */
  note?: string;
}

/**
 * `done`: it took effect. `full`, `timed-out`, `released`: it was refused, and had no effect. `unsent`: nobody saw it.
 * `unknown`: the connection broke or the response was 503, so it may have taken effect. `fault`: a response that is not
 * allowed.
 */
export type Result = 'done' | 'full' | 'timed-out' | 'released' | 'unsent' | 'unknown' | 'fault';

/** The service clock, read at a moment between `from` and `to`. */
export interface ClockSample {
  from: number;
  to: number;
  serviceMs: number;
}

/** The history to check. */
export interface History {
  entries: readonly Entry[];
  samples: readonly ClockSample[];
  /** Seats per license. */
  seats: readonly number[];
  timeoutMs: number;
}
