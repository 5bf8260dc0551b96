-- First attempts that are under way at endpoints which answer: written already leased, by the statement that takes an event, and
-- gone with the attempt. Whatever has to wait, or fails, is a row of webhook_planned_attempts. The table is empty most of the
-- time: it keeps its pages, because plans that were made for an empty table read it from its beginning once it is full.
create table webhook_queue (
  organization_id text not null,
  delivery_id text not null,
  endpoint_id text not null,
  event_id text not null,
  event_type text not null,
  -- When the event was created, by the organization's own clock.
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  -- Who makes the attempt. After the lease it is planned, and whoever claims it makes it.
  claim_id text not null,
  leased_until timestamptz(3) not null,
  primary key (organization_id, delivery_id)
) with (vacuum_truncate = false);
create index webhook_queue_leased on webhook_queue (leased_until);
alter table unsent_events set (vacuum_truncate = false);
-- Some of the event's deliveries are planned already, and it waits for an endpoint that was locked: it is not taken any more.
alter table unsent_events add column is_planned boolean not null default false;

-- The attempt with which a delivery succeeded at once, which is most of them. It moves to webhook_attempts when the delivery is
-- attempted again.
alter table webhook_deliveries
  add column only_duration_ms integer check (only_duration_ms >= 0),
  add column only_address text,
  add column only_response_excerpt text;
create index webhook_deliveries_by_attempt on webhook_deliveries (organization_id, endpoint_id, last_attempt_at)
  where only_duration_ms is not null;
