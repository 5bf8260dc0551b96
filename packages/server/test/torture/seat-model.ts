/** The timeout of every license here, in seconds: far from any sum of clock moves, so that the time a run takes is no matter. */
const TIMEOUT_SECONDS = 180;

const DAY = 86_400;
const WARNING_SECONDS = 7 * DAY;

export interface ModelSession {
  id: string;
  license: ModelLicense;
  user: number;
  machine: number;
  /** On the model's clock. */
  lastSignOfLife: number;
  /** `over` is not here: a session past its timeout is over, even if its seat was not freed yet. */
  end: 'released' | 'timed_out' | undefined;
  releasedAt: string | undefined;
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

/** An event as it must be: type, whose, and with what counts. */
export interface ExpectedEvent {
  type: string;
  license: string;
  session?: string;
  activeSeats: number;
  maxSeats: number;
}

/** What the service must do, as simply as it can be said: sessions in a list, and a clock. */
export class SeatModel {
  now = 0;
  readonly licenses: ModelLicense[] = [];
  readonly sessions: ModelSession[] = [];

  isAlive(session: ModelSession): boolean {
    return session.end === undefined && this.now < session.lastSignOfLife + TIMEOUT_SECONDS;
  }

  /** Past its timeout, and nobody has announced it yet. */
  isOver(session: ModelSession): boolean {
    return session.end === undefined && !this.isAlive(session);
  }

  activeSeats(license: ModelLicense): number {
    return this.sessions.filter((session) => session.license === license && this.isAlive(session)).length;
  }

  /** Why the license is not in force, as an error code. What the operator decided comes before the calendar. */
  licenseRefusal(license: ModelLicense): 'license_suspended' | 'license_revoked' | 'license_expired' | undefined {
    if (license.state !== 'active') {
      return `license_${license.state}`;
    }
    return license.expiresAt <= this.now ? 'license_expired' : undefined;
  }

  /** The answer to an acquire: `new`, the session that goes on, or an error code. */
  acquire(license: ModelLicense, user: number, machine: number): 'new' | ModelSession | string {
    const refusal = this.licenseRefusal(license);
    if (refusal !== undefined) {
      return refusal;
    }
    const held = this.sessions.find(
      (each) => each.license === license && each.user === user && each.machine === machine && this.isAlive(each),
    );
    return held ?? (this.activeSeats(license) < license.seats ? 'new' : 'no_seats_available');
  }

  /** The error code of a heartbeat, or undefined when it keeps the session alive. User 0 is the admin. */
  heartbeatRefusal(session: ModelSession, user: number): string | undefined {
    return this.#standing(session, user) ?? this.#releasedOr(session, this.licenseRefusal(session.license));
  }

  /** The error code of a release, or undefined when it succeeds, for the first time or again. */
  releaseRefusal(session: ModelSession, user: number): string | undefined {
    return this.#standing(session, user);
  }

  #standing(session: ModelSession, user: number): string | undefined {
    if (user !== 0 && user !== session.user) {
      return 'forbidden';
    }
    return session.end === 'timed_out' || this.isOver(session) ? 'session_timeout' : undefined;
  }

  #releasedOr(session: ModelSession, other: string | undefined): string | undefined {
    return session.end === 'released' ? 'session_released' : other;
  }

  begin(license: ModelLicense, user: number, machine: number, id: string): ExpectedEvent[] {
    this.sessions.push({
      id,
      license,
      user,
      machine,
      lastSignOfLife: this.now,
      end: undefined,
      releasedAt: undefined,
    });
    const activeSeats = this.activeSeats(license);
    const counts = { license: license.id, activeSeats, maxSeats: license.seats };
    return [
      { type: 'license.seat.acquired', session: id, ...counts },
      ...(activeSeats === license.seats ? [{ type: 'license.seats.exhausted', ...counts }] : []),
    ];
  }

  release(session: ModelSession, releasedAt: string): ExpectedEvent[] {
    if (session.end === 'released') {
      return [];
    }
    session.end = 'released';
    session.releasedAt = releasedAt;
    return [this.#ended('license.seat.released', session)];
  }

  /** A request that needed its seat, or the reaper, ended a session that is over. */
  tidyUp(session: ModelSession): ExpectedEvent {
    session.end = 'timed_out';
    return this.#ended('license.seat.timeout', session);
  }

  #ended(type: string, { id, license }: ModelSession): ExpectedEvent {
    return { type, license: license.id, session: id, activeSeats: this.activeSeats(license), maxSeats: license.seats };
  }

  /** Everything that is due in the background: silent seats, then warnings, then expiries. */
  runJobs(): ExpectedEvent[] {
    const silent = this.sessions.filter((session) => this.isOver(session));
    const timeouts = silent.map((session) => this.tidyUp(session));
    const open = this.licenses.filter((license) => license.state !== 'revoked');
    const warnings = open.flatMap((license) => this.#warn(license));
    return [...timeouts, ...warnings, ...open.flatMap((license) => this.#tellExpiry(license))];
  }

  #warn(license: ModelLicense): ExpectedEvent[] {
    if (license.warnedFor === license.expiresAt || license.expiresAt > this.now + WARNING_SECONDS) {
      return [];
    }
    license.warnedFor = license.expiresAt;
    return license.expiresAt <= this.now ? [] : [this.#told('license.expiring', license)];
  }

  #tellExpiry(license: ModelLicense): ExpectedEvent[] {
    if (license.expiryToldFor === license.expiresAt || license.expiresAt > this.now) {
      return [];
    }
    license.expiryToldFor = license.expiresAt;
    return [this.#told('license.expired', license)];
  }

  #told(type: string, license: ModelLicense): ExpectedEvent {
    return { type, license: license.id, activeSeats: this.activeSeats(license), maxSeats: license.seats };
  }
}
