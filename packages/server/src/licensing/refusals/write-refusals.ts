import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import { derivedId } from '../../ids/index.ts';
import { findClockEvenIfDeleted } from '../../organizations/index.ts';
import { LICENSE_SEAT_REFUSED } from '../events.ts';
import { presentRefusal } from './present-refusal.ts';
import { claimRefusalAnnouncements, type RefusalRow, upsertRefusals } from './queries.ts';
import type { RefusalCount, RefusalLog, RefusalPortion } from './refusal-log.ts';

/** The dependencies of writing refusals. */
export interface RefusalTools {
  database: Queries;
  outbox: Pick<Outbox, 'announce'>;
  refusals: RefusalLog;
}

/**
 * Writes a portion of the refused acquires that this process has counted, and announces the first one per license and
 * code in a minute. Returns whether there is more.
 */
export async function writeRefusals({ database, outbox, refusals }: RefusalTools): Promise<boolean> {
  const portion = refusals.take(PORTION, performance.now());
  if (portion === undefined) {
    return false;
  }
  try {
    await database.transaction((tx) => write(tx, outbox, portion));
  } catch (error) {
    refusals.giveBack(portion, performance.now());
    throw error;
  }
  return true;
}

const PORTION = 500;

async function write(
  tx: Queries,
  outbox: Pick<Outbox, 'announce'>,
  { organizationId, counts }: RefusalPortion,
): Promise<void> {
  const rows = await upsertRefusals(tx, { organizationId, refused: counts.map((each) => rowOf(organizationId, each)) });
  const latest = latestOfEach(rows);
  const refused = [...latest.values()].map((row) => ({
    license_id: row.license_id,
    code: row.code,
    at_ms: row.last_at_ms,
  }));
  const due = refused.length === 0 ? [] : await claimRefusalAnnouncements(tx, { organizationId, refused });
  if (due.length === 0) {
    return;
  }
  const clock = await findClockEvenIfDeleted(tx, { organizationId });
  const announcements = due.flatMap((each) => {
    const row = latest.get(keyOf(each));
    return row === undefined
      ? []
      : [announcement(LICENSE_SEAT_REFUSED, { ...presentRefusal(row), license_id: row.license_id })];
  });
  await outbox.announce(tx, organizationId, clock?.clock_offset_ms ?? 0, announcements);
}

function rowOf(organizationId: string, each: RefusalCount) {
  const { licenseId, code, machine, minuteMs } = each;
  const userId = machine?.userId ?? null;
  const hardwareId = machine?.hardwareId ?? null;
  return {
    id: derivedId('seatRefusal', minuteMs, JSON.stringify([organizationId, licenseId, code, userId, hardwareId])),
    license_id: licenseId,
    code,
    user_id: userId,
    hardware_id: hardwareId,
    count: each.count,
    first_at_ms: each.firstAtMs,
    last_at_ms: each.lastAtMs,
    active_seats: each.activeSeats,
    max_seats: each.maxSeats,
  };
}

const keyOf = ({ license_id: licenseId, code }: { license_id: string; code: string }) => `${licenseId} ${code}`;

/** The latest row of each license and code. */
function latestOfEach(rows: readonly RefusalRow[]): Map<string, RefusalRow> {
  const latest = new Map<string, RefusalRow>();
  for (const row of rows) {
    const known = latest.get(keyOf(row));
    if (known === undefined || known.last_at_ms < row.last_at_ms) {
      latest.set(keyOf(row), row);
    }
  }
  return latest;
}
