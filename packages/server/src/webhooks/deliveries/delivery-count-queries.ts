import { one, statement } from '../../database/index.ts';

/**
 * How many deliveries of all organizations ended in a window with a last attempt that succeeded or failed permanently.
 */
export const countEndedDeliveries = statement({
  name: 'count_ended_deliveries',
  parameters: { from: 'instant', until: 'instant' },
  returns: one<{ succeeded: number; failed: number }>(),
  sql: ({ from, until }) => `select
      (count(*) filter (where status = 'succeeded'))::float8 as succeeded,
      (count(*) filter (where status = 'failed'))::float8 as failed
    from webhook_deliveries
    where status in ('succeeded', 'failed') and last_attempt_at >= ${from} and last_attempt_at < ${until}`,
});
