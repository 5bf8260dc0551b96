import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import type { OfflineTerms } from '../offline/offline-rules.ts';
import { listOfflineTerms } from '../offline/queries.ts';
import { countProjectUsage } from '../project-usage/count-project-usage.ts';
import { listLiveActivations } from './activation-queries.ts';
import { announcementsOfDecision } from './announce-seats.ts';
import { createGrant } from './create-grant.ts';
import { endSessions, useOf } from './end-sessions.ts';
import { timedOutAtMs } from './present-ended-session.ts';
import {
  type ClockRow,
  type LicenseRow,
  listClaimableSlots,
  listLicensesWithClock,
  lockLicensesByKeys,
  lockSlotsBySessions,
  updateSlotsTaken,
} from './queries.ts';
import { licenseRefusal, noSeatsAvailable, offlineNotAllowed, userNotAllowed } from './refusals.ts';
import type { AcquireItem, AcquireOutcome, RefusingLicense, SeatGrant } from './seat-items.ts';
import { decideSeats, type SeatDecision, type SeatRequest, type SeatSnapshot } from './seat-rules.ts';
import { type Line, settleLines } from './settle-lines.ts';
import { writeWaits } from './write-waits.ts';

/** Runs one batch of one organization: locks the licenses, looks for free seats, decides, writes, announces. */
export async function takeSeats(
  tx: Queries,
  tools: LicensingTools,
  organizationId: string,
  items: readonly AcquireItem[],
): Promise<readonly AcquireOutcome[]> {
  const requests = items.map((item) => item.request);
  const clockOffsetMs = items[0]?.clockOffsetMs ?? 0;
  const signingKey = await tools.signingKeys.active(tx);
  const snapshot = await lockSnapshot(tx, organizationId, clockOffsetMs, requests);
  if (snapshot === undefined) {
    return items.map(() => ({ refusal: notFound('license') }));
  }
  const surplus = surplusSessionsOf(snapshot);
  if (surplus.length > 0) {
    await endSessions(tx, tools, { organizationId, clockOffsetMs, sessionIds: surplus, status: 'timed_out' });
    return takeSeats(tx, tools, organizationId, items);
  }
  const { clock } = snapshot;
  const lines = await findLines(tx, organizationId, requests, snapshot.licenses);
  const decisions = decideSeats(requests, { ...snapshot, lines });
  const grants = decisions.map((decision, index) => {
    const request = requests[index];
    return request === undefined || (decision.kind !== 'granted' && decision.kind !== 'renewed')
      ? undefined
      : createGrant(tools.settings, signingKey.id, clock, request, { ...decision, organizationId });
  });
  await writeSeats(tx, tools, organizationId, clock, requests, decisions, grants);
  await writeWaits(tx, { organizationId, clock, requests, decisions });
  const announcements = decisions.flatMap((decision, index) =>
    announcementsOfDecision(decision, requests[index], clock),
  );
  await tools.outbox.announce(tx, organizationId, clockOffsetMs, announcements);
  const ended = decisions.flatMap((decision) => (decision.kind === 'granted' ? (decision.ended ?? []) : []));
  const uses = ended.map((slot) => useOf(slot, timedOutAtMs(slot, clock)));
  await countProjectUsage(tx, organizationId, uses);
  return decisions.map((decision, index) => outcomeOf(decision, clock, grants[index]));
}

/** The snapshot without the lines. */
type Seats = Omit<SeatSnapshot, 'lines' | 'licenses'> & { licenses: ReadonlyArray<LicenseRow & ClockRow> };

/** The seats of the licenses, under the licenses' locks and the locks of timed-out seats that may be given away. */
async function lockSnapshot(
  tx: Queries,
  organizationId: string,
  clockOffsetMs: number,
  requests: readonly SeatRequest[],
): Promise<Seats | undefined> {
  const keys = [...new Set(requests.map((request) => request.key))];
  const licenses = await lockLicensesByKeys(tx, { organizationId, keys });
  if (licenses.length === 0) {
    return undefined;
  }
  const licenseIds = licenses.map((row) => row.license_id);
  const locked = new Set<string>();
  for (;;) {
    const snapshot = await findSnapshot(tx, organizationId, clockOffsetMs, requests, licenseIds);
    const over = (snapshot?.slots ?? []).flatMap((slot) => (slot.is_over ? (slot.session_id ?? []) : []));
    const unlocked = over.filter((sessionId) => !locked.has(sessionId));
    if (unlocked.length === 0) {
      return snapshot;
    }
    // A heartbeat that came in time may not be committed yet: wait for it, then read again.
    await lockSlotsBySessions(tx, { organizationId, sessionIds: unlocked });
    for (const sessionId of unlocked) {
      locked.add(sessionId);
    }
  }
}

async function findSnapshot(
  tx: Queries,
  organizationId: string,
  clockOffsetMs: number,
  requests: readonly SeatRequest[],
  licenseIds: readonly string[],
): Promise<Seats | undefined> {
  const licenses = await listLicensesWithClock(tx, { organizationId, clockOffsetMs, licenseIds });
  const [clock] = licenses;
  if (clock === undefined) {
    return undefined;
  }
  const byKey = Map.groupBy(requests, (request) => request.key);
  const slots = await listClaimableSlots(tx, {
    organizationId,
    serviceMs: clock.service_ms,
    keys: [...byKey.keys()],
    seats: [...byKey.values()].map((sameKey) => sameKey.length),
    machineKeys: requests.map((request) => request.key),
    userIds: requests.map((request) => request.userId),
    hardwareIds: requests.map((request) => request.hardwareId),
  });
  const isAsked = requests.some((request) => request.offlineSeconds !== undefined);
  const offlineTerms = isAsked ? await findOfflineTerms(tx, { organizationId, clockOffsetMs, licenseIds }) : NO_TERMS;
  const activations = await findActivations(tx, organizationId, requests);
  const newSessionId = () => newId('seatSession');
  const newWaitId = () => newId('seatWait');
  return { licenses, clock, slots, offlineTerms, activations, newSessionId, newWaitId };
}

/** The up-to-date lines of the licenses that have a waiting list. Most have none. */
async function findLines(
  tx: Queries,
  organizationId: string,
  requests: readonly SeatRequest[],
  licenses: ReadonlyArray<LicenseRow & ClockRow>,
): Promise<ReadonlyMap<string, Line>> {
  const awaited = licenses.filter((license) => license.waiting > 0);
  const asked = requests.map(({ userId, hardwareId }) => ({ user_id: userId, hardware_id: hardwareId }));
  return awaited.length === 0 ? new Map() : settleLines(tx, organizationId, awaited, asked);
}

async function findActivations(
  tx: Queries,
  organizationId: string,
  requests: readonly SeatRequest[],
): Promise<ReadonlySet<string>> {
  const asked = requests.filter(({ activatedLicenseId }) => activatedLicenseId !== undefined);
  const ids = [...new Set(asked.map(({ userId }) => userId))];
  const found = ids.length === 0 ? [] : await listLiveActivations(tx, { organizationId, ids });
  return new Set(found.map((row) => row.id));
}

async function findOfflineTerms(
  tx: Queries,
  of: Parameters<typeof listOfflineTerms>[1],
): Promise<ReadonlyMap<string, OfflineTerms>> {
  const rows = await listOfflineTerms(tx, of);
  return new Map(
    rows.map((row) => [
      row.license_id,
      {
        maxOfflineSeconds: row.max_offline_seconds,
        minOnlineSeats: row.min_online_seats,
        offlineSeats: row.offline_seats,
      },
    ]),
  );
}

const NO_TERMS: ReadonlyMap<string, OfflineTerms> = new Map();

/**
 * Timed-out sessions of the machines, on seats that the license has shrunk below. A machine cannot start a new session
 * on such a seat, so its session is ended first, as by the reaper.
 */
function surplusSessionsOf({ licenses, slots }: Seats): string[] {
  const maxSeats = new Map(licenses.map((license) => [license.id, license.max_seats]));
  const surplus = slots.filter((slot) => slot.is_over && slot.slot > (maxSeats.get(slot.license_id) ?? 0));
  return surplus.flatMap((slot) => slot.session_id ?? []);
}

/** Throws if a seat changed after it was chosen. The locks make that impossible, and this proves it. */
async function writeSeats(
  tx: Queries,
  { settings }: Pick<LicensingTools, 'settings'>,
  organizationId: string,
  clock: ClockRow,
  requests: readonly SeatRequest[],
  decisions: readonly SeatDecision[],
  grants: ReadonlyArray<SeatGrant | undefined>,
): Promise<void> {
  // One row for each seat, even if one machine asked several times in the batch: its first grant is the session.
  const taken = new Map<string, Parameters<typeof updateSlotsTaken>[1]['taken'][number]>();
  for (const [index, decision] of decisions.entries()) {
    const request = requests[index];
    const grant = grants[index];
    if (
      (decision.kind === 'granted' || decision.kind === 'renewed') &&
      request !== undefined &&
      grant !== undefined &&
      !taken.has(decision.sessionId)
    ) {
      const { license, slot, sessionId } = decision;
      const { iat, exp } = grant.token.claims;
      taken.set(sessionId, {
        license_id: license.id,
        slot,
        is_new: decision.kind === 'granted',
        session_id: sessionId,
        user_id: request.userId,
        hardware_id: request.hardwareId,
        metadata: request.metadata,
        timeout_ms: timeoutMsOf(decision, clock, settings.seatTimeoutSeconds),
        offline_ms: decision.offlineUntilMs,
        issued_ms: iat * 1000,
        expires_ms: exp * 1000,
      });
    }
  }
  if (taken.size === 0) {
    return;
  }
  const times = { wallMs: clock.wall_ms, serviceMs: clock.service_ms, awayMs: clock.away_ms };
  const written = await updateSlotsTaken(tx, { organizationId, ...times, taken: [...taken.values()] });
  if (written !== taken.size) {
    throw new Error(`${taken.size} seats were chosen but ${written} were taken`);
  }
}

/** How long the seat is kept from now on. The deadline of an offline seat is the promised instant, in service time. */
function timeoutMsOf(
  { license, offlineUntilMs }: { license: LicenseRow; offlineUntilMs: number | null },
  clock: ClockRow,
  defaultSeconds: number,
): number {
  return offlineUntilMs === null
    ? (license.session_timeout_seconds ?? defaultSeconds) * 1000
    : offlineUntilMs - clock.away_ms - clock.service_ms;
}

function outcomeOf(decision: SeatDecision, clock: ClockRow, grant: SeatGrant | undefined): AcquireOutcome {
  switch (decision.kind) {
    case 'granted':
    case 'renewed':
      return grant === undefined ? { refusal: notFound('license') } : { isNew: decision.kind === 'granted', grant };
    case 'unknown-license':
      return { refusal: notFound('license') };
    case 'user-not-allowed':
      return { refusal: userNotAllowed(), by: refusingLicense(decision.license, clock) };
    case 'offline-not-allowed':
      return {
        refusal: offlineNotAllowed(decision.terms, decision.license.max_seats),
        by: refusingLicense(decision.license, clock),
      };
    case 'waiting': {
      const { license, waitId, position, deadlineMs } = decision;
      const expiresAtMs = deadlineMs + clock.away_ms;
      return { place: { licenseId: license.id, waitId, position, expiresAtMs, changes: license.changes } };
    }
    case 'wait-over':
      return { isOver: true };
    case 'full':
      return {
        refusal: noSeatsAvailable(decision.license.max_seats, decision.activeSeats),
        by: refusingLicense(decision.license, clock, decision.activeSeats),
      };
    case 'expired':
      return {
        refusal: licenseRefusal('expired', decision.expiredAtMs),
        by: refusingLicense(decision.license, clock),
      };
    default:
      return { refusal: licenseRefusal(decision.kind, 0), by: refusingLicense(decision.license, clock) };
  }
}

function refusingLicense(
  { id, max_seats: maxSeats, taken, over }: LicenseRow,
  { wall_ms: wallMs }: ClockRow,
  activeSeats = taken - over,
): RefusingLicense {
  return { licenseId: id, atMs: Math.floor(wallMs), activeSeats, maxSeats };
}
