import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { deleteOldProviderEvents } from './queries.ts';

/** Deletes events that the provider no longer sends again. */
export function deleteOldProviderEventsJob(database: Queries): Job {
  return {
    name: 'billing.delete-old-provider-events',
    everyMs: HOUR_MS,
    run: async () => (await deleteOldProviderEvents(database, { limit: PORTION })) === PORTION,
  };
}

const HOUR_MS = 3_600_000;
const PORTION = 1_000;
