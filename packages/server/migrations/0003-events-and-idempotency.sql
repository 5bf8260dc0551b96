-- The outbox: an event is written in the transaction of what it tells, so neither exists without the other.
-- There is no foreign key to organizations: its check would lock that one row in every transaction of the organization.
create table events (
  organization_id text not null,
  id text not null,
  type text not null,
  created timestamptz(3) not null,
  object jsonb not null,
  primary key (organization_id, id)
);
create index events_by_creation on events (organization_id, created, id);
create index events_by_type on events (organization_id, type, created, id);

-- Kept answers of POST and PATCH requests that carried an Idempotency-Key.
create table idempotency_keys (
  organization_id text not null,
  user_id text not null,
  route text not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  -- The answer's data, encrypted under the master key, since it may hold a secret that is shown once.
  answer bytea not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, user_id, route, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
