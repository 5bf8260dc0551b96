import type { ClockRow, LicenseRow, SlotRow } from './queries.ts';

/** Someone who wants a seat. */
export interface SeatRequest {
  key: string;
  userId: string;
  hardwareId: string;
  metadata: unknown;
}

/** What becomes of one request. */
export type SeatDecision =
  | { kind: 'unknown-license' }
  | { kind: 'revoked' | 'suspended'; license: LicenseRow }
  | { kind: 'expired'; license: LicenseRow; expiredAtMs: number }
  | { kind: 'full'; license: LicenseRow; activeSeats: number }
  /** A new session on this slot; `ended` is the timed-out session whose seat it is. */
  | {
      kind: 'granted';
      license: LicenseRow;
      slot: number;
      sessionId: string;
      ended: SlotRow | undefined;
      activeSeats: number;
    }
  /** The same machine's session goes on. */
  | { kind: 'renewed'; license: LicenseRow; slot: number; sessionId: string };

/** What is known of the licenses that a batch asks for, read under their locks. */
export interface SeatStock {
  licenses: readonly LicenseRow[];
  clock: ClockRow;
  slots: readonly SlotRow[];
  newSessionId(): string;
}

/**
 * Decides a batch of requests one after the other: whoever comes first has the seat. A machine that holds a seat of the
 * license keeps that one; a machine whose session timed out starts a new one on the same seat.
 */
export function decideSeats(requests: readonly SeatRequest[], stock: SeatStock): SeatDecision[] {
  const shelves = new Map(stock.licenses.map((license) => [license.key, openShelf(license, stock.slots)]));
  return requests.map((request) => {
    const shelf = shelves.get(request.key);
    return shelf === undefined ? { kind: 'unknown-license' } : decideSeat(request, shelf, stock);
  });
}

/** When a license is not in force. What the operator decided comes before the calendar. */
function refusalOf(license: LicenseRow, wallMs: number): SeatDecision | undefined {
  if (license.state !== 'active') {
    return { kind: license.state, license };
  }
  return license.expires_at_ms <= wallMs ? { kind: 'expired', license, expiredAtMs: license.expires_at_ms } : undefined;
}

/** The sessions of one license while a batch is decided. */
interface Shelf {
  license: LicenseRow;
  active: number;
  /** Free seats first, then those past their timeout. */
  claimable: SlotRow[];
  /** Seats by the machine that holds them. */
  held: Map<string, { slot: number; sessionId: string; over: SlotRow | undefined }>;
}

function openShelf(license: LicenseRow, slots: readonly SlotRow[]): Shelf {
  const shelf: Shelf = { license, active: license.taken - license.over, claimable: [], held: new Map() };
  // A machine's own timed-out seat is found twice: as one to claim, and as one that the machine holds.
  const bySlot = new Map(slots.filter((each) => each.license_id === license.id).map((each) => [each.slot, each]));
  for (const slot of bySlot.values()) {
    if (slot.session_id === null || (slot.is_over && slot.slot <= license.max_seats)) {
      shelf.claimable.push(slot);
    }
    if (slot.session_id !== null) {
      const machine = machineOf(slot.user_id ?? '', slot.hardware_id ?? '');
      shelf.held.set(machine, { slot: slot.slot, sessionId: slot.session_id, over: slot.is_over ? slot : undefined });
    }
  }
  return shelf;
}

function decideSeat(request: SeatRequest, shelf: Shelf, stock: SeatStock): SeatDecision {
  const { license } = shelf;
  const refusal = refusalOf(license, stock.clock.wall_ms);
  if (refusal !== undefined) {
    return refusal;
  }
  const machine = machineOf(request.userId, request.hardwareId);
  const held = shelf.held.get(machine);
  if (held !== undefined && held.over === undefined) {
    return { kind: 'renewed', license, slot: held.slot, sessionId: held.sessionId };
  }
  const chosen = shelf.active < license.max_seats ? chooseSlot(shelf, held?.over) : undefined;
  if (chosen === undefined) {
    return { kind: 'full', license, activeSeats: shelf.active };
  }
  shelf.claimable.splice(shelf.claimable.indexOf(chosen), 1);
  shelf.active += 1;
  const sessionId = stock.newSessionId();
  forget(shelf, chosen);
  shelf.held.set(machine, { slot: chosen.slot, sessionId, over: undefined });
  const ended = chosen.session_id === null ? undefined : chosen;
  return { kind: 'granted', license, slot: chosen.slot, sessionId, ended, activeSeats: shelf.active };
}

/** The machine's own former seat, which nobody else may leave it on (one seat for each machine), or the next one. */
function chooseSlot(shelf: Shelf, own: SlotRow | undefined): SlotRow | undefined {
  return own !== undefined && shelf.claimable.includes(own) ? own : shelf.claimable[0];
}

/** A machine whose timed-out seat went to another one holds nothing any more. */
function forget(shelf: Shelf, slot: SlotRow): void {
  if (slot.session_id !== null) {
    shelf.held.delete(machineOf(slot.user_id ?? '', slot.hardware_id ?? ''));
  }
}

function machineOf(userId: string, hardwareId: string): string {
  return `${userId} ${hardwareId}`;
}
