import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Metrics } from '../../http/index.ts';
import { findBackupCompleted } from './queries.ts';

/** How old the newest backup is, scheduled or by command; NaN if none was ever made. */
export function measureBackups(database: Queries, metrics: Metrics, clock: Clock): void {
  metrics.gauges(
    { age: { name: 'seathold_backup_age_seconds', help: 'Seconds since the newest backup was complete.' } },
    clock,
    async () => {
      const row = await findBackupCompleted(database);
      return { age: row?.completed_ms == null ? Number.NaN : (clock.nowMs() - row.completed_ms) / 1_000 };
    },
  );
}
