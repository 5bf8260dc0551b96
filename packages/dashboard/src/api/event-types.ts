import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The event types of the service. They only change with its version. */
export const eventTypes = queryOptions({
  queryKey: ['event-types'],
  queryFn: async () => api().eventTypes.list({ limit: 100 }),
  staleTime: Number.POSITIVE_INFINITY,
});
