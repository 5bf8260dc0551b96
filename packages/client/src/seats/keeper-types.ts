/** The options of a seat, as far as the rules need them. */
export interface KeeperConfig {
  readonly waitSeconds: number | undefined;
  readonly offlineSeconds: number | undefined;
  /** How long the first acquire retries while the service does not answer. */
  readonly timeoutSeconds: number;
  /** Whether the program can provide another token if one is refused. */
  readonly canRefreshToken: boolean;
  /** Whether the machine is activated with the license key, because the program has no token. */
  readonly activation: 'none' | 'needed' | 'stored';
}

/** The two clocks of a machine, in milliseconds, and a random number from 0 up to 1. */
export interface Moment {
  /** Monotonic. May stop while the machine sleeps. */
  readonly monoMs: number;
  /** The time of day. May be wrong, and may jump. */
  readonly wallMs: number;
  readonly random: number;
}

export type FeatureValue = boolean | number | string;

/** A seat whose token was verified. */
export interface HeldSeat {
  readonly sessionId: string;
  readonly licenseToken: string;
  readonly features: Readonly<Record<string, FeatureValue>>;
  /** The token's `exp`, in milliseconds of the service's clock. */
  readonly expiresAtMs: number;
  readonly licenseId: string;
  readonly heartbeatIntervalSeconds: number;
  readonly offlineUntilMs: number | undefined;
}

export type KeeperRequest =
  | { readonly kind: 'activate' }
  | {
      readonly kind: 'acquire';
      readonly waitSeconds: number | undefined;
      readonly offlineSeconds: number | undefined;
    }
  | { readonly kind: 'poll'; readonly waitId: string; readonly timeoutSeconds: number }
  | { readonly kind: 'leave'; readonly waitId: string }
  | { readonly kind: 'heartbeat'; readonly sessionId: string }
  | { readonly kind: 'release'; readonly sessionId: string }
  | { readonly kind: 'revocations' };

/** The outcome of a request. Tokens in it are verified. */
export type Outcome =
  | { readonly kind: 'granted'; readonly seat: HeldSeat }
  | { readonly kind: 'placed'; readonly place: Place }
  | { readonly kind: 'wait_ended'; readonly status: 'expired' | 'canceled'; readonly reason: string | undefined }
  | { readonly kind: 'kept'; readonly token: VerifiedToken | undefined }
  | { readonly kind: 'listed'; readonly revoked: ReadonlySet<string> }
  | { readonly kind: 'done' }
  /** The service refused. Repeating the request changes nothing. */
  | { readonly kind: 'refused'; readonly code: string; readonly error?: unknown }
  /** No answer, or one that requires another attempt. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly retryAfterSeconds: number | undefined;
      readonly error?: unknown;
    };

export interface VerifiedToken {
  readonly licenseToken: string;
  readonly features: Readonly<Record<string, FeatureValue>>;
  readonly expiresAtMs: number;
}

/** A place in the waiting list. */
export interface Place {
  readonly waitId: string;
  readonly position: number;
  readonly expiresAt: string;
  readonly pollAfterSeconds: number;
}

export type GrantReason = 'acquired' | 'reacquired' | 'resumed' | 'online' | 'renewed';

/** A notification to the program. */
export type KeeperEvent =
  | { readonly type: 'granted'; readonly reason: GrantReason; readonly seat: HeldSeat }
  | { readonly type: 'waiting'; readonly position: number; readonly expiresAt: string }
  | { readonly type: 'offline'; readonly reason: string; readonly seat: HeldSeat }
  | { readonly type: 'lost'; readonly reason: string; readonly isFinal: boolean };

/** An action requested by the rules. */
export type Effect =
  | { readonly do: 'send'; readonly id: number; readonly request: KeeperRequest; readonly refreshToken: boolean }
  /** The answer to this request is no longer needed. */
  | { readonly do: 'abandon'; readonly id: number }
  /** Undefined stops the timer. */
  | { readonly do: 'timer'; readonly name: TimerName; readonly delayMs: number | undefined }
  | { readonly do: 'tell'; readonly event: KeeperEvent }
  /** The first acquire succeeded or failed. */
  | { readonly do: 'resolve' }
  | { readonly do: 'reject'; readonly code: string; readonly error?: unknown }
  /** `takeOffline` succeeded, or failed with a code. */
  | { readonly do: 'answerOffline'; readonly code: string | undefined; readonly error?: unknown }
  /** The stored state has changed. Undefined removes it. */
  | { readonly do: 'save'; readonly seat: HeldSeat | undefined }
  /** Nothing more will happen. */
  | { readonly do: 'end' };

/** `next`: the next request is due. `expiry`: the license token may have expired. */
export type TimerName = 'next' | 'expiry';
