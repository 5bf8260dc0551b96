import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { EndpointClearer } from './clear-deleted-endpoints.ts';
import { deleteEndedSecrets } from './secret-queries.ts';

/** Clears away what deleted endpoints left, and secrets that sign no more. */
export function endpointJobs(database: Queries): Job[] {
  const clearer = new EndpointClearer(database);
  return [
    { name: 'webhooks.clear-deleted-endpoints', everyMs: 5_000, run: () => clearer.run() },
    {
      name: 'webhooks.delete-ended-secrets',
      everyMs: 60_000,
      run: async () => (await deleteEndedSecrets(database, PORTION)) >= PORTION,
    },
  ];
}

const PORTION = 500;
