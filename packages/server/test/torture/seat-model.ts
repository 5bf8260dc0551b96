import type {
  ExpectedEvent,
  Extras,
  Holder,
  ModelActivation,
  ModelLicense,
  ModelSession,
  ModelWait,
} from './seat-model-types.ts';

/**
 * The timeout of every license here, in seconds: far from any sum of clock moves, so that the duration of a run does
 * not matter.
 */
const TIMEOUT_SECONDS = 180;

/** How long a free seat is reserved for the head of the line, in seconds. */
const RESERVED_SECONDS = 30;
/** The offline seat policy of every license here. */
export const MIN_ONLINE_SEATS = 1;
export const MAX_OFFLINE_SECONDS = 1_000;

const DAY = 86_400;
const WARNING_SECONDS = 7 * DAY;

/** What the service must do, in the simplest form: sessions in a list, and a clock. */
export class SeatModel {
  now = 0;
  readonly licenses: ModelLicense[] = [];
  readonly sessions: ModelSession[] = [];
  /** In the order in which they joined. */
  readonly waits: ModelWait[] = [];
  readonly activations: ModelActivation[] = [];
  /** Sessions that ended against the will of their program. */
  readonly revoked = new Set<string>();

  isAlive(session: ModelSession): boolean {
    return session.end === undefined && this.now < (session.offlineUntil ?? session.lastSignOfLife + TIMEOUT_SECONDS);
  }

  /** Whether it is past its timeout, but not announced yet. */
  isOver(session: ModelSession): boolean {
    return session.end === undefined && !this.isAlive(session);
  }

  activeSeats(license: ModelLicense): number {
    return this.sessions.filter((session) => session.license === license && this.isAlive(session)).length;
  }

  /** Why the license is not in force, as an error code. The operator's decision comes before the calendar. */
  licenseRefusal(license: ModelLicense): 'license_suspended' | 'license_revoked' | 'license_expired' | undefined {
    if (license.state !== 'active') {
      return `license_${license.state}`;
    }
    return license.expiresAt <= this.now ? 'license_expired' : undefined;
  }

  /**
   * The response to an acquire: `new`, `waits`, the session that continues, or an error code. The line must be settled
   * first.
   */
  acquire(license: ModelLicense, user: Holder, machine: number, extras: Extras = {}): 'new' | ModelSession | string {
    const refusal = this.licenseRefusal(license);
    if (refusal !== undefined) {
      return refusal;
    }
    const held = this.heldBy(license, user, machine);
    if (extras.offlineSeconds !== undefined && !this.#mayGoOffline(license, held, extras.offlineSeconds)) {
      return 'offline_not_allowed';
    }
    if (held !== undefined) {
      return held;
    }
    const own = this.waitOf(license, user, machine);
    if (this.#mayTake(license, own)) {
      return 'new';
    }
    return extras.waitSeconds === undefined ? 'no_seats_available' : 'waits';
  }

  heldBy(license: ModelLicense, user: Holder, machine: number): ModelSession | undefined {
    return this.sessions.find(
      (each) => each.license === license && each.user === user && each.machine === machine && this.isAlive(each),
    );
  }

  #mayGoOffline(license: ModelLicense, held: ModelSession | undefined, seconds: number): boolean {
    const offline = this.sessions.filter(
      (each) => each.license === license && each !== held && each.offlineUntil !== undefined && this.isAlive(each),
    );
    return seconds <= MAX_OFFLINE_SECONDS && offline.length + 1 <= license.seats - MIN_ONLINE_SEATS;
  }

  /** The head of the line takes the seat reserved for it. All others get only what the whole line leaves over. */
  #mayTake(license: ModelLicense, own: ModelWait | undefined): boolean {
    const active = this.activeSeats(license);
    return own === undefined ? active + this.line(license).length < license.seats : own.isReserved;
  }

  line(license: ModelLicense): ModelWait[] {
    return this.waits.filter((wait) => wait.license === license && wait.status === 'waiting');
  }

  waitOf(license: ModelLicense, user: Holder, machine: number): ModelWait | undefined {
    return this.line(license).find((wait) => wait.user === user && wait.machine === machine);
  }

  /** Ends the waits that are due, or all of a license that is not in force, and reserves the open seats in order. */
  settle(license: ModelLicense): void {
    const reason = this.licenseRefusal(license);
    for (const wait of this.line(license)) {
      if (reason !== undefined || wait.dueAt <= this.now) {
        wait.status = reason === undefined ? 'expired' : 'canceled';
        wait.reason = reason ?? null;
      }
    }
    const open = Math.max(0, license.seats - this.activeSeats(license));
    for (const [position, wait] of this.line(license).entries()) {
      if (wait.isReserved !== position < open) {
        wait.isReserved = position < open;
        wait.dueAt = wait.isReserved ? this.now + RESERVED_SECONDS : wait.deadline;
      }
    }
  }

  settleAll(): void {
    for (const license of this.licenses) {
      this.settle(license);
    }
  }

  /** Puts a machine at the end of the line. */
  join(id: string, license: ModelLicense, user: Holder, machine: number, extras: Extras): void {
    const deadline = this.now + (extras.waitSeconds ?? 0);
    this.waits.push({
      id,
      license,
      user,
      machine,
      offlineSeconds: extras.offlineSeconds,
      deadline,
      dueAt: deadline,
      isReserved: false,
      status: 'waiting',
      reason: null,
      session: undefined,
    });
  }

  /**
   * An acquire by a machine that already has a seat: it counts as a heartbeat, and may turn the seat into an offline
   * seat.
   */
  renew(session: ModelSession, offlineSeconds: number | undefined): void {
    session.lastSignOfLife = this.now;
    session.offlineUntil = this.#offlineUntil(session.license, offlineSeconds) ?? session.offlineUntil;
  }

  /** Near the end of an offline seat, a heartbeat turns it into an ordinary seat. */
  heartbeat(session: ModelSession): void {
    session.lastSignOfLife = this.now;
    if (session.offlineUntil !== undefined && this.now + TIMEOUT_SECONDS >= session.offlineUntil) {
      session.offlineUntil = undefined;
    }
  }

  #offlineUntil(license: ModelLicense, seconds: number | undefined): number | undefined {
    return seconds === undefined ? undefined : Math.min(this.now + seconds, license.expiresAt);
  }

  /** The error code of a heartbeat, or undefined if it keeps the session alive. User 0 is the admin. */
  heartbeatRefusal(session: ModelSession, user: Holder): string | undefined {
    return this.#standing(session, user) ?? this.#releasedOr(session, this.licenseRefusal(session.license));
  }

  /** The error code of a release, or undefined if it succeeds, for the first time or again. */
  releaseRefusal(session: ModelSession, user: Holder): string | undefined {
    return this.#standing(session, user);
  }

  #standing(session: ModelSession, user: Holder): string | undefined {
    if (user !== 0 && user !== session.user) {
      return 'forbidden';
    }
    return session.end === 'timed_out' || this.isOver(session) ? 'session_timeout' : undefined;
  }

  #releasedOr(session: ModelSession, other: string | undefined): string | undefined {
    return session.end === 'released' ? 'session_released' : other;
  }

  begin(license: ModelLicense, user: Holder, machine: number, id: string, offlineSeconds?: number): ExpectedEvent[] {
    const session: ModelSession = {
      id,
      license,
      user,
      machine,
      offlineUntil: this.#offlineUntil(license, offlineSeconds),
      lastSignOfLife: this.now,
      end: undefined,
      releasedAt: undefined,
    };
    const own = this.waitOf(license, user, machine);
    if (own !== undefined) {
      Object.assign(own, { status: 'granted', session });
    }
    this.sessions.push(session);
    const activeSeats = this.activeSeats(license);
    const counts = { license: license.id, activeSeats, maxSeats: license.seats };
    return [
      { type: 'license.seat.acquired', session: id, ...counts },
      ...(activeSeats === license.seats ? [{ type: 'license.seats.exhausted', ...counts }] : []),
    ];
  }

  /** A release by its own program, or by the admin (user 0), in which case its tokens are listed as revoked. */
  release(session: ModelSession, releasedAt: string | undefined, by: Holder): ExpectedEvent[] {
    if (session.end === 'released') {
      return [];
    }
    if (by !== session.user) {
      this.revoked.add(session.id);
    }
    session.end = 'released';
    session.releasedAt = releasedAt;
    return [this.#ended('license.seat.released', session)];
  }

  /** A request that needed its seat, or the reaper, ended a session that was over. */
  tidyUp(session: ModelSession): ExpectedEvent {
    session.end = 'timed_out';
    return this.#ended('license.seat.timeout', session);
  }

  #ended(type: string, { id, license }: ModelSession): ExpectedEvent {
    return { type, license: license.id, session: id, activeSeats: this.activeSeats(license), maxSeats: license.seats };
  }

  /** The admin revokes an activation: its seat is free immediately, and its place in line is gone. */
  deactivate(activation: ModelActivation): ExpectedEvent[] {
    this.activations.splice(this.activations.indexOf(activation), 1);
    for (const wait of this.waits.filter((each) => each.user === activation.id && each.status === 'waiting')) {
      Object.assign(wait, { status: 'canceled', reason: 'activation_revoked' });
    }
    const held = this.sessions.filter((each) => each.user === activation.id && this.isAlive(each));
    return held.flatMap((session) => this.release(session, undefined, 0));
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
