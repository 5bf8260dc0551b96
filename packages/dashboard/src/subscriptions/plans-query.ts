import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/index.ts';

/** The plans on sale. A catalogue with more than a hundred needs another way to choose. */
export const allPlans = queryOptions({
  queryKey: ['plans'],
  queryFn: async () => (await api().plans.list({ limit: 100 })).data,
  staleTime: 300_000,
});
