import { arrays, many, statement } from '../../database/index.ts';
import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';
import { countDeliveries, numberDeliveries } from '../endpoint-state/sequence-queries.ts';
import type { EndpointStatus } from '../endpoint-state/state-queries.ts';

/** A waiting event with its content. */
export interface UnsentEventRow {
  organization_id: string;
  event_id: string;
  announced_at: Date;
  /** Some of its deliveries are already planned. */
  is_planned: boolean;
  /** Null, like the following fields, if the event is no longer kept. */
  type: string | null;
  created: Date | null;
  /** The event's object as JSON text. */
  object: string | null;
}

/** An endpoint that may get events, its state, and one of its signing secrets, if any. */
export interface RecipientRow extends EndpointKey {
  url: string;
  events: string[];
  created_at: Date;
  status: EndpointStatus;
  destination: string;
  in_flight: number;
  in_flight_limit: number;
  swift_in_row: number;
  is_cautious: boolean;
  failures_in_row: number;
  failing_since: Date | null;
  is_silent: boolean;
  clock_offset_ms: number;
  /** The database's clock. */
  now: Date;
  secret_id: string | null;
  secret: Buffer | null;
  /** Null for the newest secret, as opposed to those that sign until a rotation is over. */
  ends_at: Date | null;
}

/** Up to `limit` events of the organizations after this one, in the order of their organizations. Locks nothing. */
export const listUnsentEvents = statement({
  name: 'list_unsent_events',
  parameters: { afterOrganizationId: 'text', limit: 'integer' },
  returns: many<UnsentEventRow>(),
  sql: ({ afterOrganizationId, limit }) => `select u.*, e.type, e.created, e.object
    from (
      select organization_id, event_id, announced_at, is_planned from unsent_events where organization_id > ${afterOrganizationId}
      order by organization_id, event_id limit ${limit}
    ) u
    left join lateral (
      select type, created, object::text as object from events
      where organization_id = u.organization_id and id = u.event_id limit 1
    ) e on true
    order by u.organization_id, u.event_id`,
});

/**
 * The endpoints of these organizations that are not deleted, one row per secret, the newest secret first. There are
 * few.
 */
export const listRecipients = statement({
  name: 'list_recipients',
  parameters: { organizationIds: 'text[]' },
  returns: many<RecipientRow>(),
  sql: ({ organizationIds }) => `select w.organization_id, w.id as endpoint_id, w.url, w.events, w.created_at, s.status,
      s.destination, s.in_flight, s.in_flight_limit, s.swift_in_row, s.is_cautious, s.failures_in_row, s.failing_since,
      s.is_silent, o.clock_offset_ms, clock_timestamp() as now, k.id as secret_id, k.secret, k.ends_at
    from webhook_endpoints w
    cross join lateral (
      select * from webhook_endpoint_states where organization_id = w.organization_id and endpoint_id = w.id limit 1
    ) s
    join organizations o on o.id = w.organization_id
    left join lateral (
      select id, secret, ends_at, created_at from webhook_secrets
      where organization_id = w.organization_id and endpoint_id = w.id order by created_at desc, id desc limit 10
    ) k on true
    where w.organization_id = any(${organizationIds}) and w.deleted_at is null
    order by k.created_at desc, k.id desc`,
});

/**
 * Takes events: removes them from the waiting ones, and numbers their deliveries, leased to this process. Returns the
 * deliveries with their numbers; those of an event that another process has taken, or begun to plan, are missing. An
 * event's id is unique across organizations.
 */
export const claimUnsentEvents = statement({
  name: 'take_unsent_events',
  parameters: {
    organizationIds: 'text[]',
    eventIds: 'text[]',
    deliveries: arrays({
      organization_id: 'text',
      delivery_id: 'text',
      endpoint_id: 'text',
      event_id: 'text',
      event_type: 'text',
      created_at: 'timestamptz',
      due_at: 'timestamptz',
    }),
    claimId: 'text',
    leasedUntil: 'timestamptz',
  },
  returns: many<{ delivery_id: string; sequence: number }>(),
  sql: ({ organizationIds, eventIds, deliveries, claimId, leasedUntil }) => `with gone as (
      delete from unsent_events where organization_id = any(${organizationIds}) and event_id = any(${eventIds}) and not is_planned
      returning organization_id, event_id
    ), taken as materialized (
      select deliveries.* from ${deliveries}
      join gone on gone.organization_id = deliveries.organization_id and gone.event_id = deliveries.event_id
    ), counted as (
      ${countDeliveries('taken')}
    ), numbered as (
      ${numberDeliveries('taken')}
    )
    insert into webhook_queue (organization_id, delivery_id, endpoint_id, event_id, event_type, created_at, due_at, sequence,
      claim_id, leased_until)
    select organization_id, delivery_id, endpoint_id, event_id, event_type, created_at, due_at, sequence, ${claimId}, ${leasedUntil}
    from numbered
    returning delivery_id, sequence::float8 as sequence`,
});

/**
 * Writes the history of deliveries whose first attempt succeeded. Returns which ones; a delivery whose lease has ended,
 * or that was retried manually in the meantime, is missing: it is planned by now. One also created by a process of the
 * previous version is missing too, and its number goes to the other one.
 */
export const insertSucceededDeliveries = statement({
  name: 'finish_taken',
  parameters: {
    attempts: arrays({
      organization_id: 'text',
      delivery_id: 'text',
      claim_id: 'text',
      started_at: 'timestamptz',
      duration_ms: 'integer',
      status_code: 'integer',
      address: 'text | null',
      response_excerpt: 'text | null',
    }),
  },
  returns: many<{ id: string }>(),
  sql: ({ attempts }) => `with given as materialized (
      select * from ${attempts}
    ), gone as (
      delete from webhook_queue q using given g
      where q.organization_id = g.organization_id and q.delivery_id = g.delivery_id and q.claim_id = g.claim_id
      returning q.organization_id, q.endpoint_id, q.delivery_id, q.event_id, q.event_type, q.created_at, q.sequence,
        g.started_at, g.duration_ms, g.status_code, g.address, g.response_excerpt
    )
    insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, created_at, status, attempts,
      last_status_code, last_attempt_at, only_duration_ms, only_address, only_response_excerpt, sequence)
    select organization_id, endpoint_id, delivery_id, event_id, event_type, created_at, 'succeeded', 1, status_code, started_at,
      duration_ms, address, response_excerpt, sequence
    from gone
    on conflict (organization_id, endpoint_id, event_id) do update
      set sequence = coalesce(webhook_deliveries.sequence, excluded.sequence)
    returning id`,
});

/** Endpoints with first attempts in flight whose lease has expired. */
export const listEndpointsToPlanFor = statement({
  name: 'list_endpoints_to_plan_for',
  parameters: { now: 'timestamptz', limit: 'integer' },
  returns: many<EndpointKey & { delivery_id: string }>(),
  sql: ({ now, limit }) => `select organization_id, endpoint_id, delivery_id from webhook_queue
    where leased_until <= ${now} order by leased_until limit ${limit}`,
});
