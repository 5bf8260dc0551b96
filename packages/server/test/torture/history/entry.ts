/**
 * One call as its client saw it, or a claim: all the calls from the first to the last with which a machine waited in line or
 * asked for an offline seat until it had an answer. Times in milliseconds of the client's own steady clock.
 */
export interface Entry {
  operation: 'acquire' | 'heartbeat' | 'release' | 'claim';
  /** Position of the license in the list of licenses. */
  license: number;
  /** The session that was named, or that an answered acquire gave. */
  sessionId: string | undefined;
  userId: string;
  hardwareId: string;
  sentAt: number;
  receivedAt: number;
  result: Result;
  /** Of an acquire for an offline seat: it does not time out within a run. */
  isOffline?: boolean;
  /** Of an answered release, ISO 8601. */
  releasedAt?: string;
  /** Details that help to understand a violation. */
  note?: string;
}

/**
 * `done`: it took effect. `full`, `timed-out`, `released`: refused, so it did not. `unsent`: nobody saw it. `unknown`: the
 * connection broke or the answer was 503; it may have taken effect. `fault`: no answer of these is allowed.
 */
export type Result = 'done' | 'full' | 'timed-out' | 'released' | 'unsent' | 'unknown' | 'fault';

/** The service clock as it was read at a moment between `from` and `to`. */
export interface ClockSample {
  from: number;
  to: number;
  serviceMs: number;
}

/** What is asked about. */
export interface History {
  entries: readonly Entry[];
  samples: readonly ClockSample[];
  /** Seats of each license. */
  seats: readonly number[];
  timeoutMs: number;
}
