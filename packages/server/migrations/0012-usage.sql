-- What the operator's own programs authenticate with. They belong to the installation: no organization and no user.
create table operator_tokens (
  id text primary key,
  -- SHA-256; the token itself is shown once and never kept.
  token_hash bytea not null,
  name text not null,
  -- Its first characters, to recognise it by.
  prefix text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  -- command: by the operator; leak: it was sent in the clear.
  revoked_because text check (revoked_because in ('command', 'leak')),
  -- True to the minute.
  last_used_at timestamptz(3),
  check ((revoked_at is null) = (revoked_because is null))
);
create unique index operator_tokens_hash on operator_tokens (token_hash);
create index operator_tokens_by_creation on operator_tokens (created_at, id);

-- What the operator's programs reported, as they reported it. There is no foreign key to meters: its check would lock that one
-- row in every transaction that reports.
create table usage_records (
  organization_id text not null,
  id text not null,
  meter text not null,
  -- Fifteen digits, so that what JSON calls a number comes back as it was sent.
  value numeric(21, 6) not null check (value >= 0),
  -- When it was used, on the organization's clock.
  at timestamptz(3) not null,
  -- The reporter's own name of it, so that it is counted once however often it is sent.
  idempotency_key text,
  -- The operator token that reported it.
  recorded_by text not null,
  recorded_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create unique index usage_records_key on usage_records (organization_id, meter, idempotency_key)
  where idempotency_key is not null;
-- The hours that a period cuts are read record by record.
create index usage_records_by_time on usage_records (organization_id, meter, at, id);
create index usage_records_by_age on usage_records (at);

-- The same by the hour, kept in the transaction of each record: a period is read from some 750 rows however much was reported.
create table usage_hours (
  organization_id text not null,
  meter text not null,
  -- Its start, a whole hour of UTC.
  hour timestamptz(3) not null,
  total numeric not null,
  highest numeric(21, 6) not null,
  -- The newest record of the hour by its time, and of several the one with the greater id.
  last_at timestamptz(3) not null,
  last_id text not null,
  last_value numeric(21, 6) not null,
  primary key (organization_id, meter, hour)
) with (fillfactor = 70);
create index usage_hours_by_age on usage_hours (hour);

-- How many seats of all its licenses an organization used in an hour that is over; an hour without any has no row.
create table usage_seat_hours (
  organization_id text not null,
  hour timestamptz(3) not null,
  active_at_start integer not null check (active_at_start >= 0),
  -- The most at one moment.
  peak integer not null check (peak >= active_at_start),
  primary key (organization_id, hour)
);
create index usage_seat_hours_by_age on usage_seat_hours (hour);

-- Until when those hours are counted; what came later is read session by session.
create table usage_seat_marks (
  organization_id text primary key,
  counted_until timestamptz(3) not null
);

-- Sessions of all licenses by when they began and when they ended, each with its other end.
create index seat_sessions_of_organization_by_start on seat_sessions (organization_id, started_at) include (ended_at);
create index seat_sessions_of_organization_by_end on seat_sessions (organization_id, ended_at) include (started_at);
