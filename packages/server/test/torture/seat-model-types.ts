/** A member by position, or an activated machine by the ID of its activation. */
export type Holder = number | string;

/** What an acquire asks for beyond a seat. */
export interface Extras {
  offlineSeconds?: number | undefined;
  waitSeconds?: number | undefined;
}

export interface ModelSession {
  id: string;
  license: ModelLicense;
  user: Holder;
  machine: number;
  /** On the model's clock, for an offline seat. */
  offlineUntil: number | undefined;
  /** On the model's clock. */
  lastSignOfLife: number;
  /** `over` is not here: a session past its timeout is over, even if its seat was not freed yet. */
  end: 'released' | 'timed_out' | undefined;
  releasedAt: string | undefined;
}

export interface ModelWait {
  id: string;
  license: ModelLicense;
  user: Holder;
  machine: number;
  offlineSeconds: number | undefined;
  deadline: number;
  /** The deadline, or the end of the reservation. */
  dueAt: number;
  isReserved: boolean;
  status: 'waiting' | 'granted' | 'expired' | 'canceled';
  reason: string | null;
  session: ModelSession | undefined;
}

export interface ModelActivation {
  id: string;
  license: ModelLicense;
  machine: number;
}

export interface ModelLicense {
  id: string;
  key: string;
  seats: number;
  state: 'active' | 'suspended' | 'revoked';
  expiresAt: number;
  warnedFor: number | undefined;
  expiryToldFor: number | undefined;
}

/** An expected event: its type, its subject, and its counts. */
export interface ExpectedEvent {
  type: string;
  license: string;
  session?: string;
  activeSeats: number;
  maxSeats: number;
}
