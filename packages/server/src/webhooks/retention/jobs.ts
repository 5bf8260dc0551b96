import type { Job } from '../../jobs/index.ts';
import type { Delivering } from '../delivering/delivering.ts';
import { EventCleaner } from './clean-events.ts';
import { HistoryCleaner } from './clean-history.ts';

/** Keeps the history as long as the retention says and no longer. Deliveries go first, since events wait for them. */
export function retentionJobs(delivering: Pick<Delivering, 'database'>, retentionDays: number): Job[] {
  const history = new HistoryCleaner(delivering, retentionDays);
  const events = new EventCleaner(delivering, retentionDays);
  return [
    { name: 'webhooks.clean-history', everyMs: HOUR_MS, run: () => history.run() },
    { name: 'webhooks.clean-events', everyMs: HOUR_MS, run: () => events.run() },
  ];
}

const HOUR_MS = 3_600_000;
