import type { Queries, Statement } from '../../database/index.ts';
import { type EndpointKey, keyOf } from './delivering.ts';
import type { Health } from './health-rules.ts';

/** What changes with every attempt at an endpoint. */
export interface EndpointStateRow extends EndpointKey {
  status: 'active' | 'paused' | 'disabled';
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

/** How an endpoint stands after attempts at it have ended. */
export interface StateChange extends EndpointKey {
  ended: number;
  health: Health;
  /** When the earliest of the attempts that were planned instead is due. */
  nextDueAt: Date | null;
}

/** Whether an endpoint can be served at once, and on which lane. */
export interface ReadyRow {
  is_cautious: boolean;
  is_ready: boolean;
}

/**
 * Locks endpoints until the transaction ends, always in the same order, and with them everything about their deliveries.
 * Those that were deleted are missing.
 */
export async function lockEndpointStates(tx: Queries, keys: readonly EndpointKey[]): Promise<EndpointStateRow[]> {
  return tx.query(LOCK_ENDPOINT_STATES, [
    keys.map((each) => each.organization_id),
    keys.map((each) => each.endpoint_id),
  ]);
}

/** The same, but those that somebody else has locked are missing as well, and nobody is waited for. */
export async function lockFreeEndpointStates(
  tx: Queries,
  keys: readonly EndpointKey[],
): Promise<{ states: EndpointStateRow[]; isBusy(key: EndpointKey): boolean }> {
  const columns = [keys.map((each) => each.organization_id), keys.map((each) => each.endpoint_id)];
  const states = await tx.query(LOCK_FREE_ENDPOINT_STATES, columns);
  const locked = new Set(states.map(keyOf));
  const missing = keys.filter((key) => !locked.has(keyOf(key)));
  const busy = missing.length === 0 ? new Map<string, string>() : await listEndpointStatuses(tx, missing);
  return { states, isBusy: (key) => busy.has(keyOf(key)) };
}

/** The status of each of these endpoints, by its key, as it is at the moment; nothing is locked. */
export async function listEndpointStatuses(
  tx: Queries,
  keys: readonly EndpointKey[],
): Promise<ReadonlyMap<string, EndpointStateRow['status']>> {
  const rows = await tx.query(LIST_ENDPOINT_STATUSES, [
    keys.map((each) => each.organization_id),
    keys.map((each) => each.endpoint_id),
  ]);
  return new Map(rows.map((row) => [keyOf(row), row.status]));
}

/**
 * Tells endpoints that something is planned for them since a time, unless somebody has locked them; answers which were told.
 * One that was paused meanwhile is told that there is something to be held.
 */
export async function wakeEndpoints(
  tx: Queries,
  endpoints: ReadonlyArray<EndpointKey & { announcedAt: Date }>,
): Promise<EndpointKey[]> {
  return tx.query(WAKE_ENDPOINTS, [
    endpoints.map((each) => each.organization_id),
    endpoints.map((each) => each.endpoint_id),
    endpoints.map((each) => each.announcedAt.toISOString()),
  ]);
}

/** Writes how the endpoints stand; their locks are held. Answers which of them have more that is due, and room for it. */
export async function updateEndpointStates(tx: Queries, changes: readonly StateChange[]): Promise<ReadyRow[]> {
  return tx.query(UPDATE_ENDPOINT_STATES, [
    changes.map((each) => each.organization_id),
    changes.map((each) => each.endpoint_id),
    changes.map((each) => each.ended),
    changes.map((each) => each.health.inFlightLimit),
    changes.map((each) => each.health.isCautious),
    changes.map((each) => each.health.failuresInRow),
    changes.map((each) => each.health.failingSince?.toISOString() ?? null),
    changes.map((each) => each.nextDueAt?.toISOString() ?? null),
    changes.map((each) => each.health.swiftInRow),
    changes.map((each) => each.health.isSilent),
  ]);
}

/** Stops the schedule of an endpoint that failed for too long; its lock is held. What is planned becomes held by a job. */
export async function disableEndpointState(tx: Queries, key: EndpointKey, reason: string): Promise<void> {
  await tx.query(DISABLE_ENDPOINT_STATE, [key.organization_id, key.endpoint_id, reason]);
}

/** What a lock brings is read with it; the time is read afterwards, when nothing is waited for any more. */
function lockStates(waiting: string): string {
  return `with locked as materialized (
      select organization_id, endpoint_id, status, in_flight, in_flight_limit, swift_in_row, is_cautious, failures_in_row,
        failing_since, is_silent
      from webhook_endpoint_states
      where (organization_id, endpoint_id) in (select * from unnest($1::text[], $2::text[]))
      order by organization_id, endpoint_id for no key update${waiting}
    )
    select l.*, clock_timestamp() + o.clock_offset_ms * interval '1 millisecond' as now
    from locked l join organizations o on o.id = l.organization_id`;
}

const LOCK_ENDPOINT_STATES: Statement<EndpointStateRow> = { name: 'lock_endpoint_states', text: lockStates('') };

const LOCK_FREE_ENDPOINT_STATES: Statement<EndpointStateRow> = {
  name: 'lock_free_endpoint_states',
  text: lockStates(' skip locked'),
};

const LIST_ENDPOINT_STATUSES: Statement<EndpointKey & Pick<EndpointStateRow, 'status'>> = {
  name: 'list_endpoint_statuses',
  text: `select organization_id, endpoint_id, status from webhook_endpoint_states
    where (organization_id, endpoint_id) in (select * from unnest($1::text[], $2::text[]))`,
};

const WAKE_ENDPOINTS: Statement<EndpointKey> = {
  name: 'wake_endpoints',
  text: `with free as materialized (
      select s.organization_id, s.endpoint_id, g.due_at
      from unnest($1::text[], $2::text[], $3::timestamptz[]) as g (organization_id, endpoint_id, due_at)
      join webhook_endpoint_states s on s.organization_id = g.organization_id and s.endpoint_id = g.endpoint_id
      for no key update of s skip locked
    )
    update webhook_endpoint_states s set turn_at = least(s.turn_at, f.due_at),
      must_hold = s.must_hold or s.status <> 'active'
    from free f where s.organization_id = f.organization_id and s.endpoint_id = f.endpoint_id
    returning s.organization_id, s.endpoint_id`,
};

const UPDATE_ENDPOINT_STATES: Statement<ReadyRow> = {
  name: 'update_endpoint_states',
  text: `update webhook_endpoint_states s set in_flight = greatest(0, s.in_flight - g.ended),
      in_flight_limit = g.in_flight_limit, is_cautious = g.is_cautious, failures_in_row = g.failures_in_row,
      failing_since = g.failing_since, swift_in_row = g.swift_in_row, is_silent = g.is_silent,
      turn_at = least(s.turn_at, g.next_due_at)
    from unnest($1::text[], $2::text[], $3::integer[], $4::integer[], $5::boolean[], $6::integer[], $7::timestamptz[],
      $8::timestamptz[], $9::integer[], $10::boolean[]) as g (organization_id, endpoint_id, ended, in_flight_limit, is_cautious,
      failures_in_row, failing_since, next_due_at, swift_in_row, is_silent)
    where s.organization_id = g.organization_id and s.endpoint_id = g.endpoint_id
    returning s.is_cautious,
      coalesce(s.turn_at <= clock_timestamp() and s.in_flight < s.in_flight_limit, false) as is_ready`,
};

const DISABLE_ENDPOINT_STATE: Statement<never> = {
  name: 'disable_endpoint_state',
  text: `with shown as (
      update webhook_endpoints e
      set updated_at = clock_timestamp() + o.clock_offset_ms * interval '1 millisecond'
      from organizations o where e.organization_id = $1 and e.id = $2 and o.id = $1
    )
    update webhook_endpoint_states set status = 'disabled', disabled_reason = $3, must_hold = true
    where organization_id = $1 and endpoint_id = $2`,
};
