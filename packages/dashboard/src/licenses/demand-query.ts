import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/index.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;

/** The demand for seats of a license, by day, in the last 30 days. */
export const demandOf = (licenseId: string, environment: 'production' | 'sandbox') =>
  queryOptions({
    queryKey: ['licenses', licenseId, 'demand'],
    // Refusals are counted some moments after they happen.
    refetchInterval: 10_000,
    queryFn: async () => {
      const now = environment === 'sandbox' ? await findSandboxTime(licenseId) : Date.now();
      const from = new Date(now - DAYS * DAY_MS).toISOString();
      return api().licenses.getDemand(licenseId, { from, to: new Date(now).toISOString(), interval: 'day' });
    },
  });

/**
 * The clock of a sandbox may be ahead, and only admins may read it: by default, the counted days end at its current
 * time.
 */
async function findSandboxTime(licenseId: string): Promise<number> {
  const { points } = await api().licenses.getDemand(licenseId, { interval: 'day' });
  const latest = points.at(-1)?.at;
  return latest === undefined ? Date.now() : Date.parse(latest) + DAY_MS;
}
