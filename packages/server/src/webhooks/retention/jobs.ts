import type { Job } from '../../jobs/index.ts';
import type { Delivering } from '../delivering/delivering.ts';
import { DeliveryDeleter } from './delete-old-deliveries.ts';
import { EventDeleter } from './delete-old-events.ts';

/** Keeps the history as long as the retention says and no longer. Deliveries go first, since events wait for them. */
export function retentionJobs(delivering: Pick<Delivering, 'database'>, retentionDays: number): Job[] {
  const deliveries = new DeliveryDeleter(delivering, retentionDays);
  const events = new EventDeleter(delivering, retentionDays);
  if (retentionDays === 0) {
    return [];
  }
  return [
    { name: 'webhooks.delete-old-deliveries', everyMs: HOUR_MS, run: () => deliveries.run() },
    { name: 'webhooks.delete-old-events', everyMs: HOUR_MS, run: () => events.run() },
  ];
}

const HOUR_MS = 3_600_000;
