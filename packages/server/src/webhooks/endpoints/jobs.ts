import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { EndpointDeleter } from './clear-deleted-endpoints.ts';
import { deleteEndedSecrets } from './secret-queries.ts';

/** Deletes the remaining data of deleted endpoints, and secrets that no longer sign. */
export function endpointJobs(database: Queries): Job[] {
  const endpoints = new EndpointDeleter(database);
  return [
    { name: 'webhooks.delete-cleared-endpoints', everyMs: 5_000, run: () => endpoints.run() },
    {
      name: 'webhooks.delete-ended-secrets',
      everyMs: 60_000,
      run: async () => (await deleteEndedSecrets(database, { limit: PORTION })) >= PORTION,
    },
  ];
}

const PORTION = 500;
