import type { ReplayRow } from './queries.ts';
import type { Replay } from './schemas.ts';

/** A replay as the API and the audit log show it. */
export function presentReplay(row: ReplayRow) {
  return {
    id: row.id,
    webhook_id: row.endpoint_id,
    status: row.status,
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    only_failed: row.only_failed,
    total: row.total,
    replayed: row.replayed,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  } satisfies Replay;
}
