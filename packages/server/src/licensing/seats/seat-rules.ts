import type { ClockRow, LicenseRow, SlotRow } from './queries.ts';

/** A user on a machine who wants a seat. */
export interface SeatRequest {
  key: string;
  userId: string;
  hardwareId: string;
  metadata: unknown;
}

/** The outcome of one request. */
export type SeatDecision =
  | { kind: 'unknown-license' }
  | { kind: 'revoked' | 'suspended'; license: LicenseRow }
  | { kind: 'expired'; license: LicenseRow; expiredAtMs: number }
  | { kind: 'user-not-allowed'; license: LicenseRow }
  | { kind: 'full'; license: LicenseRow; activeSeats: number }
  /** A new session on this slot; `ended` is the timed-out session that had the seat. */
  | {
      kind: 'granted';
      license: LicenseRow;
      slot: number;
      sessionId: string;
      ended: SlotRow | undefined;
      activeSeats: number;
    }
  /** The machine keeps its session. */
  | { kind: 'renewed'; license: LicenseRow; slot: number; sessionId: string };

/** What is known of the licenses that a batch asks for, read under their locks. */
export interface SeatSnapshot {
  licenses: readonly LicenseRow[];
  clock: ClockRow;
  slots: readonly SlotRow[];
  newSessionId(): string;
}

/**
 * Decides a batch of requests one after the other, first come, first served. A machine that holds a seat of the license keeps
 * it. A machine whose session timed out starts a new one on the same seat.
 */
export function decideSeats(requests: readonly SeatRequest[], snapshot: SeatSnapshot): SeatDecision[] {
  const byKey = new Map(snapshot.licenses.map((license) => [license.key, seatsOf(license, snapshot.slots)]));
  return requests.map((request) => {
    const seats = byKey.get(request.key);
    return seats === undefined ? { kind: 'unknown-license' } : decideSeat(request, seats, snapshot);
  });
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
  held: Map<string, { slot: number; sessionId: string; over: SlotRow | undefined }>;
}

function seatsOf(license: LicenseRow, slots: readonly SlotRow[]): LicenseSeats {
  const seats: LicenseSeats = { license, active: license.taken - license.over, claimable: [], held: new Map() };
  // A machine's own timed-out seat is found twice: as one to claim, and as one that the machine holds.
  const bySlot = new Map(slots.filter((each) => each.license_id === license.id).map((each) => [each.slot, each]));
  for (const slot of bySlot.values()) {
    if (slot.session_id === null || (slot.is_over && slot.slot <= license.max_seats)) {
      seats.claimable.push(slot);
    }
    if (slot.session_id !== null) {
      const machine = machineOf(slot.user_id ?? '', slot.hardware_id ?? '');
      seats.held.set(machine, { slot: slot.slot, sessionId: slot.session_id, over: slot.is_over ? slot : undefined });
    }
  }
  return seats;
}

function decideSeat(request: SeatRequest, seats: LicenseSeats, snapshot: SeatSnapshot): SeatDecision {
  const { license } = seats;
  const refusal = refusalOf(license, snapshot.clock.wall_ms);
  if (refusal !== undefined) {
    return refusal;
  }
  if (license.allowed_users?.includes(request.userId) === false) {
    return { kind: 'user-not-allowed', license };
  }
  const machine = machineOf(request.userId, request.hardwareId);
  const held = seats.held.get(machine);
  if (held !== undefined && held.over === undefined) {
    return { kind: 'renewed', license, slot: held.slot, sessionId: held.sessionId };
  }
  const chosen = seats.active < license.max_seats ? chooseSlot(seats, held?.over) : undefined;
  if (chosen === undefined) {
    return { kind: 'full', license, activeSeats: seats.active };
  }
  seats.claimable.splice(seats.claimable.indexOf(chosen), 1);
  seats.active += 1;
  const sessionId = snapshot.newSessionId();
  removeHolder(seats, chosen);
  seats.held.set(machine, { slot: chosen.slot, sessionId, over: undefined });
  const ended = chosen.session_id === null ? undefined : chosen;
  return { kind: 'granted', license, slot: chosen.slot, sessionId, ended, activeSeats: seats.active };
}

/** The machine's own former seat, because a machine may not have two of them, or else the next one. */
function chooseSlot(seats: LicenseSeats, own: SlotRow | undefined): SlotRow | undefined {
  return own !== undefined && seats.claimable.includes(own) ? own : seats.claimable[0];
}

/** The machine of a timed-out session holds nothing any more once its seat is given away. */
function removeHolder(seats: LicenseSeats, slot: SlotRow): void {
  if (slot.session_id !== null) {
    seats.held.delete(machineOf(slot.user_id ?? '', slot.hardware_id ?? ''));
  }
}

function machineOf(userId: string, hardwareId: string): string {
  return `${userId} ${hardwareId}`;
}
