import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The types of events that the service has. They change with its version alone. */
export const eventTypes = queryOptions({
  queryKey: ['event-types'],
  queryFn: async () => api().eventTypes.list({ limit: 100 }),
  staleTime: Number.POSITIVE_INFINITY,
});
