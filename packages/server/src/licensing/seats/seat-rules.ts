import { mayGoOffline, type OfflineTerms, offlineUntilMs } from '../offline/offline-rules.ts';
import { joinLine, type LineOfBatch, leaveLine, lineOfBatch, positionOf } from './line-rules.ts';
import type { ClockRow, LicenseRow, SlotRow } from './queries.ts';
import type { Line } from './settle-lines.ts';

/** A user on a machine requesting a seat. */
export interface SeatRequest {
  key: string;
  userId: string;
  hardwareId: string;
  metadata: unknown;
  /** How long the seat needs no heartbeat. */
  offlineSeconds?: number | undefined;
  /** The license that this machine is activated for. `userId` is then the activation. */
  activatedLicenseId?: string | undefined;
  /** How long the machine is willing to wait for a seat. */
  waitSeconds?: number | undefined;
  /** The wait of the request: only this wait may get a seat. */
  wait?: { id: string; sessionId: string | null } | undefined;
}

/** The outcome of one request. */
export type SeatDecision =
  | { kind: 'unknown-license' }
  | { kind: 'revoked' | 'suspended'; license: LicenseRow }
  | { kind: 'expired'; license: LicenseRow; expiredAtMs: number }
  | { kind: 'user-not-allowed'; license: LicenseRow }
  | { kind: 'full'; license: LicenseRow; activeSeats: number }
  /** The machine is in line; it joined just now if `isNew`. */
  | { kind: 'waiting'; license: LicenseRow; waitId: string; isNew: boolean; position: number; deadlineMs: number }
  | { kind: 'wait-over' }
  | { kind: 'offline-not-allowed'; license: LicenseRow; terms: OfflineTerms }
  /** A new session on this slot; `ended` is the timed-out session that had the seat. */
  | {
      kind: 'granted';
      license: LicenseRow;
      slot: number;
      sessionId: string;
      ended: SlotRow | undefined;
      activeSeats: number;
      offlineUntilMs: number | null;
      /** The machine's wait, which ends. */
      waitId: string | undefined;
    }
  /** The machine keeps its session. */
  | { kind: 'renewed'; license: LicenseRow; slot: number; sessionId: string; offlineUntilMs: number | null };

/** The state of the licenses that a batch requests, read under their locks. */
export interface SeatSnapshot {
  licenses: readonly LicenseRow[];
  clock: ClockRow;
  slots: readonly SlotRow[];
  /** By license, if the batch requests an offline seat. */
  offlineTerms: ReadonlyMap<string, OfflineTerms>;
  /** Which of the batch's activations were not revoked. */
  activations: ReadonlySet<string>;
  /** By license, for those with a waiting list. */
  lines: ReadonlyMap<string, Line>;
  newSessionId(): string;
  newWaitId(): string;
}

/**
 * Decides a batch of requests one after the other, first come, first served. A machine that holds a seat of the license keeps
 * it. A machine whose session timed out starts a new one on the same seat.
 */
export function decideSeats(requests: readonly SeatRequest[], snapshot: SeatSnapshot): SeatDecision[] {
  const byKey = new Map(snapshot.licenses.map((license) => [license.key, seatsOf(license, snapshot)]));
  return requests.map((request) => {
    const seats = byKey.get(request.key);
    return seats === undefined || !mayAsk(request, seats.license, snapshot)
      ? { kind: 'unknown-license' }
      : decideSeat(request, seats, snapshot);
  });
}

/** An activation is valid only for its own license, until it is revoked. */
function mayAsk({ activatedLicenseId, userId }: SeatRequest, license: LicenseRow, snapshot: SeatSnapshot): boolean {
  return activatedLicenseId === undefined || (activatedLicenseId === license.id && snapshot.activations.has(userId));
}

/** The refusal for a license that is not in force. Suspended and revoked come before expired. */
function refusalOf(license: LicenseRow, wallMs: number): SeatDecision | undefined {
  if (license.state !== 'active') {
    return { kind: license.state, license };
  }
  return license.expires_at_ms <= wallMs ? { kind: 'expired', license, expiredAtMs: license.expires_at_ms } : undefined;
}

/** The seats of one license while a batch is decided. */
interface LicenseSeats {
  license: LicenseRow;
  active: number;
  /** Free seats first, then those past their timeout. */
  claimable: SlotRow[];
  /** Seats by the machine that holds them. */
  held: Map<string, HeldSeat>;
  /** Offline seats are counted as they are granted. */
  terms: OfflineTerms;
  line: LineOfBatch;
}

interface HeldSeat {
  slot: number;
  sessionId: string;
  over: SlotRow | undefined;
  offlineUntilMs: number | null;
}

const NO_OFFLINE_SEATS: OfflineTerms = { maxOfflineSeconds: 0, minOnlineSeats: 0, offlineSeats: 0 };

function seatsOf(license: LicenseRow, { slots, offlineTerms, lines }: SeatSnapshot): LicenseSeats {
  const terms = { ...(offlineTerms.get(license.id) ?? NO_OFFLINE_SEATS) };
  const line = lineOfBatch(lines.get(license.id));
  const active = license.taken - license.over;
  const seats: LicenseSeats = { license, active, claimable: [], held: new Map(), terms, line };
  // A machine's own timed-out seat is found twice: as one to claim, and as one that the machine holds.
  const bySlot = new Map(slots.filter((each) => each.license_id === license.id).map((each) => [each.slot, each]));
  for (const slot of bySlot.values()) {
    if (slot.session_id === null || (slot.is_over && slot.slot <= license.max_seats)) {
      seats.claimable.push(slot);
    }
    if (slot.session_id !== null) {
      const machine = machineOf(slot.user_id ?? '', slot.hardware_id ?? '');
      const over = slot.is_over ? slot : undefined;
      const { offline_until_ms: offlineUntil } = slot;
      seats.held.set(machine, { slot: slot.slot, sessionId: slot.session_id, over, offlineUntilMs: offlineUntil });
    }
  }
  return seats;
}

function decideSeat(request: SeatRequest, seats: LicenseSeats, snapshot: SeatSnapshot): SeatDecision {
  const { license } = seats;
  const machine = machineOf(request.userId, request.hardwareId);
  const held = seats.held.get(machine);
  if (request.wait !== undefined && isWaitOver(request.wait, seats.line.waits.get(machine)?.id, held)) {
    return { kind: 'wait-over' };
  }
  const refusal = refusalOf(license, snapshot.clock.wall_ms);
  if (refusal !== undefined) {
    return refusal;
  }
  if (license.allowed_users?.includes(request.userId) === false) {
    return { kind: 'user-not-allowed', license };
  }
  const isHeld = held !== undefined && held.over === undefined;
  const isOffline = isHeld && held.offlineUntilMs !== null;
  if (request.offlineSeconds !== undefined && !isAllowedOffline(request.offlineSeconds, seats, isOffline)) {
    return { kind: 'offline-not-allowed', license, terms: seats.terms };
  }
  if (isHeld) {
    // An offline seat stays offline for its time: its token is valid that long, regardless of what its machine requests
    // in the meantime.
    held.offlineUntilMs = untilOf(request, seats, snapshot.clock, isOffline) ?? held.offlineUntilMs;
    const { slot, sessionId, offlineUntilMs: until } = held;
    return { kind: 'renewed', license, slot, sessionId, offlineUntilMs: until };
  }
  const own = seats.line.waits.get(machine);
  const chosen = mayTake(seats, own) ? chooseSlot(seats, held?.over) : undefined;
  return chosen === undefined
    ? decideWait(request, seats, snapshot)
    : takeSlot(request, seats, snapshot, chosen, own?.id);
}

/** A machine in line takes the seat reserved for it. All others only get seats that the whole line leaves. */
function mayTake({ license, active, line }: LicenseSeats, own: { isReserved: boolean } | undefined): boolean {
  return own === undefined ? active + line.waiting < license.max_seats : own.isReserved && active < license.max_seats;
}

/** A wait has ended if it is not in line, unless its machine still has the resulting session. */
function isWaitOver(
  { id, sessionId }: { id: string; sessionId: string | null },
  idInLine: string | undefined,
  held: HeldSeat | undefined,
): boolean {
  return sessionId === null ? idInLine !== id : held?.sessionId !== sessionId || held.over !== undefined;
}

function decideWait(
  request: SeatRequest,
  { license, active, line }: LicenseSeats,
  snapshot: SeatSnapshot,
): SeatDecision {
  const machine = machineOf(request.userId, request.hardwareId);
  const isNew = !line.waits.has(machine);
  if (request.wait === undefined && request.waitSeconds === undefined) {
    return { kind: 'full', license, activeSeats: active };
  }
  const deadlineMs = snapshot.clock.service_ms + (request.waitSeconds ?? 0) * 1000;
  const own = line.waits.get(machine) ?? joinLine(line, machine, snapshot.newWaitId(), deadlineMs);
  return own === undefined
    ? { kind: 'full', license, activeSeats: active }
    : { kind: 'waiting', license, waitId: own.id, isNew, position: positionOf(line, own), deadlineMs: own.deadlineMs };
}

function takeSlot(
  request: SeatRequest,
  seats: LicenseSeats,
  snapshot: SeatSnapshot,
  chosen: SlotRow,
  waitId: string | undefined,
): SeatDecision {
  const { license } = seats;
  const machine = machineOf(request.userId, request.hardwareId);
  if (waitId !== undefined) {
    leaveLine(seats.line, machine);
  }
  seats.claimable.splice(seats.claimable.indexOf(chosen), 1);
  seats.active += 1;
  const sessionId = snapshot.newSessionId();
  removeHolder(seats, chosen);
  const until = untilOf(request, seats, snapshot.clock, false);
  seats.held.set(machine, { slot: chosen.slot, sessionId, over: undefined, offlineUntilMs: until });
  const ended = chosen.session_id === null ? undefined : chosen;
  const { slot } = chosen;
  const { active: activeSeats } = seats;
  return { kind: 'granted', license, slot, sessionId, ended, activeSeats, offlineUntilMs: until, waitId };
}

/** Whether the machine may have an offline seat. One that already has it takes no additional one. */
function isAllowedOffline(offlineSeconds: number, { license, terms }: LicenseSeats, isOffline: boolean): boolean {
  const others = isOffline ? { ...terms, offlineSeats: terms.offlineSeats - 1 } : terms;
  return mayGoOffline(offlineSeconds, license.max_seats, others);
}

/** When the seat of this request ends, if it goes offline. */
function untilOf(
  { offlineSeconds }: SeatRequest,
  { license, terms }: LicenseSeats,
  { real_ms: realMs, wall_ms: wallMs }: ClockRow,
  wasOffline: boolean,
): number | null {
  if (offlineSeconds === undefined) {
    return null;
  }
  terms.offlineSeats += wasOffline ? 0 : 1;
  return offlineUntilMs(offlineSeconds, { realMs, wallMs, licenseExpiresAtMs: license.expires_at_ms });
}

/** The machine's own former seat, because a machine may not have two of them, or else the next one. */
function chooseSlot(seats: LicenseSeats, own: SlotRow | undefined): SlotRow | undefined {
  return own !== undefined && seats.claimable.includes(own) ? own : seats.claimable[0];
}

/** After the seat of a timed-out session is given away, its machine no longer holds it. */
function removeHolder(seats: LicenseSeats, slot: SlotRow): void {
  if (slot.session_id !== null) {
    seats.held.delete(machineOf(slot.user_id ?? '', slot.hardware_id ?? ''));
  }
}

function machineOf(userId: string, hardwareId: string): string {
  return `${userId} ${hardwareId}`;
}
