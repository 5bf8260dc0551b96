import type { Queries } from '../../database/index.ts';
import type { Outbox } from '../../events/index.ts';
import { notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { licensingError } from '../errors.ts';
import { countProjectUsage } from '../project-usage/count-project-usage.ts';
import type { LicensingState } from '../state.ts';
import { announcementsOfDecision } from './announce-seats.ts';
import { endSessions, useOf } from './end-sessions.ts';
import { licenseRefusal } from './license-refusal.ts';
import { makeGrant } from './make-grant.ts';
import { timedOutAtMs } from './present-session.ts';
import {
  type ClockRow,
  LIST_CLAIMABLE_SLOTS,
  LIST_LICENSES_WITH_CLOCK,
  LOCK_LICENSES_BY_KEYS,
  LOCK_SLOTS_BY_SESSIONS,
  type SlotRow,
  UPDATE_SLOTS_TAKEN,
} from './queries.ts';
import type { AcquireItem, AcquireOutcome, SeatGrant } from './seat-items.ts';
import { decideSeats, type SeatDecision, type SeatRequest, type SeatStock } from './seat-rules.ts';

/** One batch of one organization: lock the licenses, see what is free, decide, write, announce. */
export async function takeSeats(
  state: LicensingState,
  tx: Queries,
  organizationId: string,
  items: readonly AcquireItem[],
): Promise<readonly AcquireOutcome[]> {
  const requests = items.map((item) => item.request);
  const offset = items[0]?.clockOffsetMs ?? 0;
  const signingKey = await state.signingKeys.active(tx);
  const stock = await readStock(tx, organizationId, offset, requests);
  if (stock === undefined) {
    return items.map(() => ({ refusal: notFound('license') }));
  }
  if (await endSurplusOfMachines(state.outbox, tx, organizationId, offset, stock.slots, stock)) {
    return takeSeats(state, tx, organizationId, items);
  }
  const decisions = decideSeats(requests, stock);
  const grants = decisions.map((decision, position) =>
    makeGrant(state, organizationId, signingKey.id, stock.clock, requests[position], decision),
  );
  await writeSeats(state, tx, organizationId, stock.clock, requests, decisions, grants);
  await state.outbox.announce(
    tx,
    organizationId,
    offset,
    decisions.flatMap((decision, position) => announcementsOfDecision(decision, requests[position], stock.clock)),
  );
  const ended = decisions.flatMap((decision) => (decision.kind === 'granted' ? (decision.ended ?? []) : []));
  await countProjectUsage(
    tx,
    organizationId,
    ended.map((slot) => useOf(slot, timedOutAtMs(slot, stock.clock))),
  );
  return decisions.map((decision, position) => answer(decision, grants[position]));
}

/** What the licenses have, under their locks and those of the timed-out seats that a decision may give away. */
async function readStock(
  tx: Queries,
  organizationId: string,
  offset: number,
  requests: readonly SeatRequest[],
): Promise<SeatStock | undefined> {
  const keys = [...new Set(requests.map((request) => request.key))];
  const licenses = await tx.query(LOCK_LICENSES_BY_KEYS, [organizationId, keys]);
  const locked = new Set<string>();
  for (;;) {
    const stock = licenses.length === 0 ? undefined : await listStock(tx, organizationId, offset, requests, licenses);
    const over = (stock?.slots ?? []).flatMap((slot) => (slot.is_over ? (slot.session_id ?? []) : []));
    const unlocked = over.filter((sessionId) => !locked.has(sessionId));
    if (unlocked.length === 0) {
      return stock;
    }
    // A heartbeat that came in time may not be committed yet, so it is waited for, and the stock is read again.
    await tx.query(LOCK_SLOTS_BY_SESSIONS, [organizationId, unlocked]);
    for (const sessionId of unlocked) {
      locked.add(sessionId);
    }
  }
}

async function listStock(
  tx: Queries,
  organizationId: string,
  offset: number,
  requests: readonly SeatRequest[],
  locked: ReadonlyArray<{ license_id: string }>,
): Promise<SeatStock | undefined> {
  const wanted = Map.groupBy(requests, (request) => request.key);
  const keys = [...wanted.keys()];
  const ids = locked.map((row) => row.license_id);
  const licenses = await tx.query(LIST_LICENSES_WITH_CLOCK, [organizationId, offset, ids]);
  const [clock] = licenses;
  if (clock === undefined) {
    return undefined;
  }
  const slots = await tx.query(LIST_CLAIMABLE_SLOTS, [
    organizationId,
    clock.service_ms,
    keys,
    keys.map((key) => wanted.get(key)?.length ?? 0),
    requests.map((request) => request.key),
    requests.map((request) => request.userId),
    requests.map((request) => request.hardwareId),
  ]);
  return { licenses, clock, slots, newSessionId: () => newId('seatSession') };
}

/**
 * A machine whose session timed out on a seat that the license has since shrunk below cannot start on that seat again:
 * it is ended first, as the reaper would. Answers whether there was one.
 */
async function endSurplusOfMachines(
  outbox: Outbox,
  tx: Queries,
  organizationId: string,
  offset: number,
  slots: readonly SlotRow[],
  stock: SeatStock,
): Promise<boolean> {
  const maxSeats = new Map(stock.licenses.map((license) => [license.id, license.max_seats]));
  const surplus = slots.filter((slot) => slot.is_over && slot.slot > (maxSeats.get(slot.license_id) ?? 0));
  const sessionIds = surplus.flatMap((slot) => slot.session_id ?? []);
  if (sessionIds.length > 0) {
    await endSessions(outbox, tx, organizationId, offset, sessionIds, 'timed_out');
  }
  return sessionIds.length > 0;
}

/** Fails when a seat is not what it was when it was chosen; the lock makes that impossible, and this proves it. */
async function writeSeats(
  state: LicensingState,
  tx: Queries,
  organizationId: string,
  clock: ClockRow,
  requests: readonly SeatRequest[],
  decisions: readonly SeatDecision[],
  grants: ReadonlyArray<SeatGrant | undefined>,
): Promise<void> {
  // One row for each seat, even when one machine asked several times in the batch: its first grant is the session.
  const rows = new Map<string, readonly unknown[]>();
  for (const [position, decision] of decisions.entries()) {
    const request = requests[position];
    const grant = grants[position];
    if (
      (decision.kind === 'granted' || decision.kind === 'renewed') &&
      request !== undefined &&
      grant !== undefined &&
      !rows.has(decision.sessionId)
    ) {
      const { license, slot, sessionId } = decision;
      const timeout = license.session_timeout_seconds ?? state.settings.seatTimeoutSeconds;
      const { iat, exp } = grant.token.claims;
      rows.set(sessionId, [
        license.id,
        slot,
        decision.kind === 'granted',
        sessionId,
        request.userId,
        request.hardwareId,
        request.metadata === null ? null : JSON.stringify(request.metadata),
        timeout * 1000,
        iat * 1000,
        exp * 1000,
      ]);
    }
  }
  if (rows.size === 0) {
    return;
  }
  const columns = Array.from({ length: 10 }, (_, column) => [...rows.values()].map((row) => row[column]));
  const written = await tx.query(UPDATE_SLOTS_TAKEN, [
    organizationId,
    clock.wall_ms,
    clock.service_ms,
    clock.away_ms,
    ...columns,
  ]);
  if (written.length !== rows.size) {
    throw new Error(`${rows.size} seats were chosen but ${written.length} were taken`);
  }
}

function answer(decision: SeatDecision, grant: SeatGrant | undefined): AcquireOutcome {
  switch (decision.kind) {
    case 'granted':
    case 'renewed':
      return grant === undefined ? { refusal: notFound('license') } : { isNew: decision.kind === 'granted', grant };
    case 'unknown-license':
      return { refusal: notFound('license') };
    case 'full':
      return {
        refusal: licensingError('no_seats_available', 'Every seat of this license is taken.', {
          max_seats: decision.license.max_seats,
          active_seats: decision.activeSeats,
        }),
      };
    case 'expired':
      return { refusal: licenseRefusal('expired', decision.expiredAtMs) };
    default:
      return { refusal: licenseRefusal(decision.kind, 0) };
  }
}
