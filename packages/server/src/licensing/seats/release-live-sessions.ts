import type { Queries } from '../../database/index.ts';
import { ACCESS } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { LICENSE_SEAT_RELEASED } from '../events.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import type { ReleaseItem, ReleaseOutcome } from './seat-items.ts';
import { MOST_AT_ONCE } from './take-free-seats.ts';

/**
 * Releases an organization's sessions that are alive in one statement, which also checks the callers' tokens. Sessions
 * that it does not release are returned as undefined and decided by `releaseSeats`.
 */
export async function releaseLiveSessions(
  database: Queries,
  tools: LicensingTools,
  organizationId: string,
  items: readonly ReleaseItem[],
): Promise<ReadonlyArray<ReleaseOutcome | undefined>> {
  if (items.length > MOST_AT_ONCE) {
    return items.map(() => undefined);
  }
  const bySession = new Map<string, ReleaseItem>();
  for (const item of items) {
    // A session requested twice is released once: the second request finds it released.
    bySession.set(item.sessionId, bySession.get(item.sessionId) ?? item);
  }
  const given = [...bySession.values()].map(({ sessionId, caller, uncheckedTokenHash = null }) => ({
    session_id: sessionId,
    token_hash: uncheckedTokenHash,
    released_by: caller.userId,
    released_event: newId('event'),
  }));
  const scope = ACCESS.releaseSeats.scope;
  const rows = await tools.updateLiveSlots(database, { organizationId, scope, given });
  if (rows.length > 0) {
    tools.outbox.inStatement.announced(LICENSE_SEAT_RELEASED.type, () =>
      rows.map((row) => given.find((each) => each.session_id === row.session_id)?.released_event ?? ''),
    );
  }
  database.afterCommit(() => {
    for (const { awaited_license: licenseId } of rows) {
      if (licenseId !== null) {
        tools.waitingCalls.ring(organizationId, licenseId);
      }
    }
  });
  const released = new Map(rows.map((row) => [row.session_id, row.released_at_ms]));
  return items.map((item) => {
    const releasedAtMs = bySession.get(item.sessionId) === item ? released.get(item.sessionId) : undefined;
    return releasedAtMs === undefined ? undefined : { releasedAtMs, isFirst: true };
  });
}
