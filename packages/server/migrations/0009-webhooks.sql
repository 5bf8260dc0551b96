-- Events that were not fanned out yet, written with the event where its organization has endpoints; a row goes when every
-- endpoint that wants the event has its delivery. Apart from the events, whose rows and indexes are wide.
create table unsent_events (
  organization_id text not null,
  event_id text not null,
  -- Real time, also where the organization's own clock runs ahead.
  announced_at timestamptz(3) not null,
  primary key (organization_id, event_id)
);

create table webhook_endpoints (
  organization_id text not null references organizations,
  id text not null,
  url text not null,
  -- Types, groups such as license.*, or *.
  events text[] not null,
  description text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The row stays until its history has been cleared away, in portions.
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
create index webhook_endpoints_by_creation on webhook_endpoints (organization_id, created_at, id);
create index webhook_endpoints_deleted on webhook_endpoints (deleted_at) where deleted_at is not null;

-- The signing secrets of an endpoint: one that lives on and, after a rotation, those that still sign beside it.
create table webhook_secrets (
  organization_id text not null,
  endpoint_id text not null,
  id text not null,
  -- Encrypted under the master key.
  secret bytea not null,
  created_at timestamptz(3) not null,
  ends_at timestamptz(3),
  primary key (organization_id, endpoint_id, id)
);
create index webhook_secrets_over on webhook_secrets (ends_at) where ends_at is not null;

-- What changes with every attempt at an endpoint. Its lock is the lock of everything about the endpoint's deliveries and is
-- taken before any of their rows. It exists as long as the endpoint is not deleted.
create table webhook_endpoint_states (
  organization_id text not null,
  endpoint_id text not null,
  status text not null check (status in ('active', 'paused', 'disabled')),
  disabled_reason text,
  -- Attempts are planned that the endpoint, being paused or disabled, is not to get: they become held, in portions.
  must_hold boolean not null default false,
  -- Host and port: one destination may be that of many endpoints.
  destination text not null,
  in_flight integer not null default 0 check (in_flight >= 0),
  in_flight_limit integer not null default 10 check (in_flight_limit >= 1),
  swift_in_row integer not null default 0 check (swift_in_row >= 0),
  -- New, failing or slow: such endpoints have places of their own, so that the others never wait for them.
  is_cautious boolean not null default true,
  -- When its next planned attempt may be claimed: as that is due, but after those who waited longer. Null: none is planned.
  turn_at timestamptz,
  failures_in_row integer not null default 0 check (failures_in_row >= 0),
  -- The first failure since the last success, by the organization's own clock.
  failing_since timestamptz(3),
  -- The last attempt got no answer: the next one has to dial again.
  is_silent boolean not null default false,
  primary key (organization_id, endpoint_id)
) with (fillfactor = 50);
create index webhook_endpoint_states_in_turn on webhook_endpoint_states (is_cautious, turn_at)
  where turn_at is not null and in_flight < in_flight_limit;
create index webhook_endpoint_states_to_hold on webhook_endpoint_states (organization_id, endpoint_id) where must_hold;

-- One event for one endpoint, and how it went.
create table webhook_deliveries (
  organization_id text not null,
  endpoint_id text not null,
  id text not null,
  event_id text not null,
  event_type text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed', 'held')),
  -- All attempts that ended, and how many of the schedule's failed since it began.
  attempts integer not null default 0 check (attempts >= 0),
  step integer not null default 0 check (step >= 0),
  last_status_code integer,
  last_error text,
  last_attempt_at timestamptz(3),
  -- The schedule's next attempt, which is a row of webhook_planned_attempts, and its time, which is real time.
  next_attempt_id text,
  next_attempt_at timestamptz(3),
  -- When the event was created, by the organization's own clock.
  created_at timestamptz(3) not null,
  -- The object of a test event, which is nobody's event and is kept nowhere else.
  test_object jsonb,
  primary key (organization_id, id)
);
create unique index webhook_deliveries_of_event on webhook_deliveries (organization_id, endpoint_id, event_id);
create index webhook_deliveries_by_creation on webhook_deliveries (organization_id, endpoint_id, created_at, id);
create index webhook_deliveries_by_status on webhook_deliveries (organization_id, endpoint_id, status, created_at, id);
create index webhook_deliveries_by_type on webhook_deliveries (organization_id, endpoint_id, event_type, created_at, id);

-- Attempts to be made: the only rows that a claim reads. A row goes when its attempt has ended.
create table webhook_planned_attempts (
  organization_id text not null,
  endpoint_id text not null,
  id text not null,
  delivery_id text not null,
  kind text not null check (kind in ('scheduled', 'manual', 'test', 'replay')),
  -- 0 what a person waits for, 1 the schedule, 2 what is replayed.
  priority integer not null check (priority in (0, 1, 2)),
  due_at timestamptz(3) not null,
  -- Who makes it now; only the holder of the claim may finish it, and only until the lease ends.
  claim_id text,
  leased_until timestamptz(3),
  primary key (organization_id, endpoint_id, id)
) with (fillfactor = 80);
create index webhook_planned_attempts_due on webhook_planned_attempts (organization_id, endpoint_id, priority, due_at)
  where claim_id is null;
create index webhook_planned_attempts_leased on webhook_planned_attempts (leased_until) where claim_id is not null;

-- Attempts that ended. The newest hundred of a delivery are kept, and go with it.
create table webhook_attempts (
  organization_id text not null,
  delivery_id text not null,
  number integer not null check (number >= 1),
  endpoint_id text not null,
  kind text not null,
  -- When it began, by the organization's own clock.
  started_at timestamptz(3) not null,
  duration_ms integer not null check (duration_ms >= 0),
  status_code integer,
  error text,
  address text,
  response_excerpt text,
  primary key (organization_id, delivery_id, number)
);
create index webhook_attempts_by_endpoint on webhook_attempts (organization_id, endpoint_id, started_at);

-- An endpoint's deliveries of some time, sent again a few at a time.
create table webhook_replays (
  organization_id text not null,
  endpoint_id text not null,
  id text not null,
  status text not null check (status in ('running', 'completed', 'canceled')),
  since timestamptz(3) not null,
  until timestamptz(3) not null,
  only_failed boolean not null,
  -- How many deliveries there were when it began, and how many were planned since.
  total integer not null check (total >= 0),
  replayed integer not null default 0 check (replayed >= 0),
  -- The last delivery that was planned; the next is the one after it.
  after_created_at timestamptz(3) not null,
  after_id text not null,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (organization_id, endpoint_id, id)
);
create index webhook_replays_by_creation on webhook_replays (organization_id, endpoint_id, created_at, id);
create index webhook_replays_running on webhook_replays (organization_id, endpoint_id, id) where status = 'running';
