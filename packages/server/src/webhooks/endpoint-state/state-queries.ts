import { arrays, count, many, type Queries, statement } from '../../database/index.ts';
import { columnsOf, type EndpointKey, keyOf } from './endpoint-key.ts';
import type { Health } from './health-rules.ts';

export type EndpointStatus = 'active' | 'paused' | 'disabled';

/** The state that changes with every attempt at an endpoint. */
export interface EndpointStateRow extends EndpointKey {
  status: EndpointStatus;
  in_flight: number;
  in_flight_limit: number;
  swift_in_row: number;
  is_cautious: boolean;
  failures_in_row: number;
  failing_since: Date | null;
  is_silent: boolean;
  /** The organization's own time, read after the wait for the lock. */
  now: Date;
}

/** The health of an endpoint, as stored in its row. */
export function healthOf(
  state: Pick<
    EndpointStateRow,
    'in_flight_limit' | 'swift_in_row' | 'is_cautious' | 'failures_in_row' | 'failing_since' | 'is_silent'
  >,
): Health {
  return {
    inFlightLimit: state.in_flight_limit,
    fastInRow: state.swift_in_row,
    isSlow: state.is_cautious,
    failuresInRow: state.failures_in_row,
    failingSince: state.failing_since,
    isSilent: state.is_silent,
  };
}

/** The state of an endpoint after attempts have ended. */
export interface StateChange extends EndpointKey {
  ended: number;
  health: Health;
  /** When the earliest of the newly planned attempts is due. */
  nextDueAt: Date | null;
}

const KEYS = { organizationIds: 'text[]', endpointIds: 'text[]' } as const;
const KEY = { organizationId: 'text', endpointId: 'text' } as const;

/** Reads the protected state together with the lock, and the time after it, when there is nothing left to wait for. */
function defineStateLock(name: string, waiting: string) {
  return statement({
    name,
    parameters: KEYS,
    returns: many<EndpointStateRow>(),
    sql: ({ organizationIds, endpointIds }) => `with locked as materialized (
      select organization_id, endpoint_id, status, in_flight, in_flight_limit, swift_in_row, is_cautious, failures_in_row,
        failing_since, is_silent
      from webhook_endpoint_states
      where (organization_id, endpoint_id) in (select * from unnest(${organizationIds}, ${endpointIds}))
      order by organization_id, endpoint_id for no key update${waiting}
    )
    select l.*, clock_timestamp() + o.clock_offset_ms * interval '1 millisecond' as now
    from locked l join organizations o on o.id = l.organization_id`,
  });
}

const lockStatesInOrder = defineStateLock('lock_endpoint_states', '');
const lockStatesThatAreFree = defineStateLock('lock_free_endpoint_states', ' skip locked');

/**
 * Locks endpoints until the transaction ends, always in the same order, and with them everything about their deliveries.
 * Deleted endpoints are missing from the result.
 */
export async function lockEndpointStates(tx: Queries, keys: readonly EndpointKey[]): Promise<EndpointStateRow[]> {
  return lockStatesInOrder(tx, columnsOf(keys));
}

/** Like `lockEndpointStates`, but skips endpoints locked by another transaction, and never waits. */
export async function lockFreeEndpointStates(
  tx: Queries,
  keys: readonly EndpointKey[],
): Promise<{ states: EndpointStateRow[]; isBusy(key: EndpointKey): boolean }> {
  const states = await lockStatesThatAreFree(tx, columnsOf(keys));
  const locked = new Set(states.map(keyOf));
  const missing = keys.filter((key) => !locked.has(keyOf(key)));
  const busy = missing.length === 0 ? new Map<string, string>() : await mapEndpointStatuses(tx, missing);
  return { states, isBusy: (key) => busy.has(keyOf(key)) };
}

/** The current status of each of these endpoints, by its key. Locks nothing. */
export async function mapEndpointStatuses(
  tx: Queries,
  keys: readonly EndpointKey[],
): Promise<ReadonlyMap<string, EndpointStatus>> {
  const rows = await listEndpointStatuses(tx, columnsOf(keys));
  return new Map(rows.map((row) => [keyOf(row), row.status]));
}

const listEndpointStatuses = statement({
  name: 'list_endpoint_statuses',
  parameters: KEYS,
  returns: many<EndpointKey & { status: EndpointStatus }>(),
  sql: ({ organizationIds, endpointIds }) =>
    `select organization_id, endpoint_id, status from webhook_endpoint_states
    where (organization_id, endpoint_id) in (select * from unnest(${organizationIds}, ${endpointIds}))`,
});

/**
 * Gives unlocked endpoints a turn as of their first new attempt; returns which ones. An endpoint that was paused in the
 * meantime is marked as having something to hold.
 */
export const updateEndpointsDue = statement({
  name: 'wake_endpoints',
  parameters: { ...KEYS, dueTimes: 'timestamptz[]' },
  returns: many<EndpointKey>(),
  sql: ({ organizationIds, endpointIds, dueTimes }) => `with free as materialized (
      select s.organization_id, s.endpoint_id, g.due_at
      from unnest(${organizationIds}, ${endpointIds}, ${dueTimes}) as g (organization_id, endpoint_id, due_at)
      join webhook_endpoint_states s on s.organization_id = g.organization_id and s.endpoint_id = g.endpoint_id
      for no key update of s skip locked
    )
    update webhook_endpoint_states s set turn_at = least(s.turn_at, f.due_at),
      must_hold = s.must_hold or s.status <> 'active'
    from free f where s.organization_id = f.organization_id and s.endpoint_id = f.endpoint_id
    returning s.organization_id, s.endpoint_id`,
});

/**
 * Writes the state of endpoints; their locks are held. Returns those that have more due attempts, and capacity for
 * them.
 */
export async function updateEndpointStates(tx: Queries, changes: readonly StateChange[]) {
  const rows = changes.map(({ organization_id, endpoint_id, ended, health, nextDueAt }) => ({
    organization_id,
    endpoint_id,
    ended,
    in_flight_limit: health.inFlightLimit,
    is_cautious: health.isSlow,
    failures_in_row: health.failuresInRow,
    failing_since: health.failingSince,
    next_due_at: nextDueAt,
    swift_in_row: health.fastInRow,
    is_silent: health.isSilent,
  }));
  return updateStates(tx, { given: rows });
}

const updateStates = statement({
  name: 'update_endpoint_states',
  parameters: {
    given: arrays({
      organization_id: 'text',
      endpoint_id: 'text',
      ended: 'integer',
      in_flight_limit: 'integer',
      is_cautious: 'boolean',
      failures_in_row: 'integer',
      failing_since: 'timestamptz | null',
      next_due_at: 'timestamptz | null',
      swift_in_row: 'integer',
      is_silent: 'boolean',
    }),
  },
  returns: many<{ is_cautious: boolean; is_ready: boolean }>(),
  sql: ({ given }) => `update webhook_endpoint_states s set in_flight = greatest(0, s.in_flight - given.ended),
      in_flight_limit = given.in_flight_limit, is_cautious = given.is_cautious, failures_in_row = given.failures_in_row,
      failing_since = given.failing_since, swift_in_row = given.swift_in_row, is_silent = given.is_silent,
      turn_at = least(s.turn_at, given.next_due_at)
    from ${given}
    where s.organization_id = given.organization_id and s.endpoint_id = given.endpoint_id
    returning s.is_cautious,
      coalesce(s.turn_at <= clock_timestamp() and s.in_flight < s.in_flight_limit, false) as is_ready`,
});

/** Stops the schedule of an endpoint that failed for too long; its lock is held. A job holds planned deliveries. */
export const updateEndpointDisabled = statement({
  name: 'disable_endpoint_state',
  parameters: { ...KEY, reason: 'text' },
  sql: ({ organizationId, endpointId, reason }) => `with shown as (
      update webhook_endpoints e
      set updated_at = clock_timestamp() + o.clock_offset_ms * interval '1 millisecond'
      from organizations o where e.organization_id = ${organizationId} and e.id = ${endpointId} and o.id = ${organizationId}
    )
    update webhook_endpoint_states set status = 'disabled', disabled_reason = ${reason}, must_hold = true
    where organization_id = ${organizationId} and endpoint_id = ${endpointId}`,
});

/** Counts one if the organization has this endpoint and has not deleted it. */
export const countLiveEndpoint = statement({
  name: 'find_live_endpoint',
  parameters: KEY,
  returns: count(),
  sql: ({ organizationId, endpointId }) =>
    `select id from webhook_endpoints where organization_id = ${organizationId} and id = ${endpointId} and deleted_at is null`,
});
