import { one, statement } from '../../database/index.ts';

/** The waiting work, and when it is due. */
export interface DeliveryWork {
  now: Date;
  has_unsent: boolean;
  /** When the next eligible attempt of a lane is due; null if there is none. */
  fast_at: Date | null;
  slow_at: Date | null;
  /** When the next lease ends. */
  lease_ends_at: Date | null;
  has_to_hold: boolean;
  has_replay: boolean;
}

const nextTurn = (isCautious: string) => `(select turn_at from webhook_endpoint_states
        where is_cautious = ${isCautious} and turn_at is not null and in_flight < in_flight_limit order by turn_at limit 1)`;

/** Checks the first row of each index by which the jobs find their work. */
export const findDeliveryWork = statement({
  name: 'find_delivery_work',
  returns: one<DeliveryWork>(),
  sql: () => `select clock_timestamp() as now,
      coalesce((select true from unsent_events limit 1), false) as has_unsent,
      ${nextTurn('false')} as fast_at,
      ${nextTurn('true')} as slow_at,
      least(
        (select leased_until from webhook_queue order by leased_until limit 1),
        (select leased_until from webhook_planned_attempts where claim_id is not null order by leased_until limit 1)
      ) as lease_ends_at,
      coalesce((select true from webhook_endpoint_states where must_hold limit 1), false) as has_to_hold,
      coalesce((select true from webhook_replays where status = 'running' limit 1), false) as has_replay`,
});
