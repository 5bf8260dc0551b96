import { newId } from '../../src/ids/index.ts';
import { execute, type TestApp } from './index.ts';
import type { PlantedEndpoint } from './plant-endpoint.ts';

/** Deliveries for a test, a second apart. */
export interface DeliveryTerms {
  status: 'pending' | 'succeeded' | 'failed' | 'held';
  count?: number;
  type?: string;
  /** How long ago the first one was created, by the organization's own clock. The others follow. */
  ageSeconds?: number;
  /** When the schedule's next attempt at a pending delivery is due. */
  dueInSeconds?: number;
}

/** Writes deliveries with their events, as if they had ended like this. Returns both identifiers, oldest first. */
export async function plantDeliveries(
  test: TestApp,
  { id: endpointId, organizationId }: PlantedEndpoint,
  { status, count = 1, type = 'license.seat.acquired', ageSeconds = 3_600, dueInSeconds = 3_600 }: DeliveryTerms,
): Promise<Array<{ id: string; eventId: string }>> {
  const object = test.service.events.find((each) => each.type === type)?.example;
  const made = Array.from({ length: count }, () => ({
    id: newId('delivery'),
    eventId: newId('event'),
    attemptId: newId('attempt'),
  }));
  await execute(test.database, PLANT, [
    organizationId,
    endpointId,
    made.map((each) => each.id),
    made.map((each) => each.eventId),
    made.map((each) => each.attemptId),
    type,
    JSON.stringify(object),
    status,
    ageSeconds,
    dueInSeconds,
  ]);
  return made;
}

/** Every delivery that succeeded or failed gets a finished attempt. */
const PLANT = `with given as materialized (
    select g.*, n.own + (g.place - 1 - $9::float8) * interval '1 second' as created_at,
      n.real + $10::float8 * interval '1 second' as due_at
    from unnest($3::text[], $4::text[], $5::text[]) with ordinality as g (id, event_id, attempt_id, place), (
      select clock_timestamp() as real, clock_timestamp() + clock_offset_ms * interval '1 millisecond' as own
      from organizations where id = $1::text
    ) n
  ), announced as (
    insert into events (organization_id, id, type, created, object)
    select $1::text, event_id, $6::text, created_at, $7::jsonb from given
  ), delivered as (
    insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, attempts,
      last_status_code, last_error, last_attempt_at, next_attempt_id, next_attempt_at, created_at)
    select $1::text, $2::text, id, event_id, $6::text, $8::text, case when $8 in ('succeeded', 'failed') then 1 else 0 end,
      case $8 when 'succeeded' then 200 when 'failed' then 500 end, case $8 when 'failed' then 'http_status' end,
      case when $8 in ('succeeded', 'failed') then created_at end, case $8 when 'pending' then attempt_id end,
      case $8 when 'pending' then due_at end, created_at
    from given
  ), attempted as (
    insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms,
      status_code, error)
    select $1::text, id, 1, $2::text, 'scheduled', created_at, 5, case $8 when 'succeeded' then 200 else 500 end,
      case $8 when 'failed' then 'http_status' end
    from given where $8 in ('succeeded', 'failed')
  ), planned as (
    insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
    select $1::text, $2::text, attempt_id, id, 'scheduled', 1, due_at from given where $8 = 'pending'
    returning due_at
  )
  update webhook_endpoint_states set turn_at = least(turn_at, (select min(due_at) from planned))
  where organization_id = $1::text and endpoint_id = $2::text`;
