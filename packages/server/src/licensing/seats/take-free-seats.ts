import type { Queries } from '../../database/index.ts';
import { ACCESS } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { LICENSE_SEAT_ACQUIRED } from '../events.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { createGrant } from './create-grant.ts';
import type { FreeSeatRow } from './free-seat-queries.ts';
import { licenseRefusal, noSeatsAvailable, userNotAllowed } from './refusals.ts';
import type { AcquireItem, AcquireOutcome } from './seat-items.ts';

/**
 * Takes free seats of one organization's licenses in one statement per license, and returns clear refusals. All other
 * cases are returned as undefined and decided by `takeSeats`: an invalid token, an unknown license, a machine that
 * already holds a seat, a session past its timeout, too few seats for all requests, and many concurrent requests.
 */
export async function takeFreeSeats(
  database: Queries,
  tools: LicensingTools,
  organizationId: string,
  items: readonly AcquireItem[],
): Promise<ReadonlyArray<AcquireOutcome | undefined>> {
  if (items.length > MOST_AT_ONCE) {
    return items.map(() => undefined);
  }
  const byKey = Map.groupBy(oneOfEachMachine(items), (item) => item.request.key);
  const outcomes = new Map<AcquireItem, AcquireOutcome>();
  const takeOfLicense = async (ofLicense: readonly AcquireItem[]) => {
    for (const [index, outcome] of (await takeOfOneLicense(database, tools, organizationId, ofLicense)).entries()) {
      const item = ofLicense[index];
      if (item !== undefined && outcome !== undefined) {
        outcomes.set(item, outcome);
      }
    }
  };
  const taking = [...byKey.values()].map(takeOfLicense);
  // Outside a transaction, the others may already have their seats, and failed ones are retried by `takeSeats`.
  await (database.inTransaction ? Promise.all(taking) : Promise.allSettled(taking));
  return items.map((item) => outcomes.get(item));
}

/**
 * More are cheaper in the single transaction of a batch: they share a commit, and on a busy license the batch waits for
 * the lock, where a single statement would be overtaken.
 */
export const MOST_AT_ONCE = 4;

/** How often an overtaken statement is tried. */
const TRIES = 2;

/** A machine with two concurrent requests gets one session: the second request finds it. */
function oneOfEachMachine(items: readonly AcquireItem[]): AcquireItem[] {
  const machines = new Map<string, AcquireItem>();
  for (const item of items) {
    const { key, userId, hardwareId } = item.request;
    const machine = `${key} ${userId} ${hardwareId}`;
    if (!machines.has(machine)) {
      machines.set(machine, item);
    }
  }
  return [...machines.values()];
}

async function takeOfOneLicense(
  database: Queries,
  tools: LicensingTools,
  organizationId: string,
  items: readonly AcquireItem[],
): Promise<ReadonlyArray<AcquireOutcome | undefined>> {
  const [first] = items;
  if (first === undefined) {
    return [];
  }
  const signingKey = await tools.signingKeys.active(database);
  let given = listGiven(items);
  const send = () =>
    tools.updateFreeSlots(database, {
      organizationId,
      key: first.request.key,
      timeoutSeconds: tools.settings.seatTimeoutSeconds,
      tokenTtlSeconds: tools.settings.licenseTokenTtlSeconds,
      scope: ACCESS.useSeats.scope,
      given,
    });
  let rows = await send();
  for (let tries = 1; tries < TRIES && rows.some((row) => row.is_overtaken); tries += 1) {
    // With new IDs, which sort after those of the faster request.
    given = listGiven(items);
    rows = await send();
  }
  if (rows.some((row) => row.is_taken)) {
    tools.outbox.inStatement.announced(LICENSE_SEAT_ACQUIRED.type, () =>
      rows.flatMap((row) => (row.is_taken ? (given[row.place]?.acquired_event ?? []) : [])),
    );
  }
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return items.map((item, index) => {
    const row = byPlace.get(index);
    const sessionId = given[index]?.session_id ?? '';
    if (row?.is_taken !== true) {
      return row === undefined ? undefined : refusalOf(row, item);
    }
    const seat = { organizationId, sessionId, license: row };
    return { isNew: true, grant: createGrant(tools.settings, signingKey.id, row, item.request, seat) };
  });
}

function listGiven(items: readonly AcquireItem[]) {
  return items.map(({ request, uncheckedTokenHash = null }, index) => ({
    place: index,
    token_hash: uncheckedTokenHash,
    session_id: newId('seatSession'),
    user_id: request.userId,
    hardware_id: request.hardwareId,
    metadata: request.metadata,
    acquired_event: newId('event'),
    exhausted_event: newId('event'),
  }));
}

/** Requests that are refused regardless of the license's lock. */
function refusalOf(row: FreeSeatRow, { request }: AcquireItem): AcquireOutcome | undefined {
  const by = { licenseId: row.id, atMs: Math.floor(row.wall_ms), activeSeats: row.taken, maxSeats: row.max_seats };
  if (row.state !== 'active') {
    return { refusal: licenseRefusal(row.state, 0), by };
  }
  if (row.expires_at_ms <= row.wall_ms) {
    return { refusal: licenseRefusal('expired', row.expires_at_ms), by };
  }
  if (!row.is_allowed) {
    return { refusal: userNotAllowed(), by };
  }
  const isFull = request.waitSeconds === undefined && row.taken >= row.max_seats && !row.has_over && !row.has_held;
  return isFull ? { refusal: noSeatsAvailable(row.max_seats, row.taken), by } : undefined;
}
