import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { DeliveryDeleter } from './delete-old-deliveries.ts';
import { EventDeleter } from './delete-old-events.ts';

/** Deletes history that is past the retention. Deliveries are deleted first, because events wait for them. */
export function retentionJobs(database: Queries, retentionDays: number): Job[] {
  const deliveries = new DeliveryDeleter(database, retentionDays);
  const events = new EventDeleter(database, retentionDays);
  if (retentionDays === 0) {
    return [];
  }
  return [
    { name: 'webhooks.delete-old-deliveries', everyMs: HOUR_MS, run: () => deliveries.run() },
    { name: 'webhooks.delete-old-events', everyMs: HOUR_MS, run: () => events.run() },
  ];
}

const HOUR_MS = 3_600_000;
