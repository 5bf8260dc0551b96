import type { Clock } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import type { Metrics } from '../http/index.ts';
import { findReaperLag } from './seats/reaper-queries.ts';

/** Creates the metrics of licensing. Returns the function that counts a refused acquire. */
export function measureSeats(database: Queries, metrics: Metrics, clock: Clock): (code: string) => void {
  const refused = metrics.labeledCounter(
    'seathold_seats_refused_total',
    'Acquires refused by this process, by error code.',
    'code',
  );
  metrics.gauges(
    {
      seconds: {
        name: 'seathold_reaper_lag_seconds',
        help: 'How long the next silent seat has been due to be freed, in seconds of service time.',
      },
    },
    clock,
    async () => ({ seconds: Math.max(0, (await findReaperLag(database))?.seconds ?? 0) }),
  );
  return (code) => refused.count(code);
}
