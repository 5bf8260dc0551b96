import { anyRow, defineDueCheck } from '../../database/index.ts';

/** The waiting work, and in how many milliseconds it is due: negative if it is overdue, null if there is none. */
export interface DeliveryWork {
  has_unsent: boolean;
  /** The next eligible attempt of each lane. */
  fast_in_ms: number | null;
  slow_in_ms: number | null;
  /** The end of the next lease. */
  lease_ends_in_ms: number | null;
  has_to_hold: boolean;
  has_replay: boolean;
}

const msUntil = (time: string) => `(extract(epoch from ${time} - clock_timestamp()) * 1000)::float8`;

const nextTurn = (isCautious: string) => `(select ${msUntil('turn_at')} from webhook_endpoint_states
        where is_cautious = ${isCautious} and turn_at is not null and in_flight < in_flight_limit order by turn_at limit 1)`;

/** Checks the first row of each index by which the jobs find their work. */
export const deliveryWork = defineDueCheck({
  name: 'find_delivery_work',
  sql: () => `select jsonb_build_object(
      'has_unsent', ${anyRow('select 1 from unsent_events')},
      'fast_in_ms', ${nextTurn('false')},
      'slow_in_ms', ${nextTurn('true')},
      'lease_ends_in_ms', least(
        (select ${msUntil('leased_until')} from webhook_queue order by leased_until limit 1),
        (select ${msUntil('leased_until')} from webhook_planned_attempts
          where claim_id is not null order by leased_until limit 1)),
      'has_to_hold', ${anyRow('select 1 from webhook_endpoint_states where must_hold')},
      'has_replay', ${anyRow("select 1 from webhook_replays where status = 'running'")})`,
});
