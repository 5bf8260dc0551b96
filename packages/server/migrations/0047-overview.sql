-- What an hour of the whole installation was like, for the overview: closed hours are read from here, and the rest is counted
-- when somebody asks. The row of the hour that is not closed yet is the claim of the process that counts.
create table overview_hours (
  hour timestamptz(3) primary key,
  refusals bigint not null default 0 check (refusals >= 0),
  deliveries_succeeded bigint not null default 0 check (deliveries_succeeded >= 0),
  deliveries_failed bigint not null default 0 check (deliveries_failed >= 0),
  -- The most seats of all organizations in use at one moment, up to seats_counted_until.
  seat_peak integer not null default 0 check (seat_peak >= 0),
  seats_counted_until timestamptz(3) not null,
  is_closed boolean not null default false,
  check (seats_counted_until between hour and hour + interval '1 hour')
);
create index overview_hours_open on overview_hours (hour) where not is_closed;

-- Which jobs are late, as the process that works in the background last said.
create table overview_reports (
  id text primary key check (id = 'this'),
  late_jobs text[] not null,
  reported_at timestamptz(3) not null
);

-- What the overview counts, each from an index alone. A subscription has a license once it was paid.
create index subscriptions_in_force on subscriptions (status, plan_id) include (quantity) where ended_at is null;
create index subscriptions_begun on subscriptions (created_at) where license_id is not null;
create index subscriptions_ended on subscriptions (ended_at) where ended_at is not null and license_id is not null;
create index licenses_in_force on licenses (expires_at) include (max_seats) where state = 'active';
-- Sessions are written here when they end, so taking a seat does not touch it. An expression, so that the planner does not take
-- it for the sessions of one organization.
create index seat_sessions_by_end on seat_sessions ((ended_at at time zone 'UTC')) include (started_at, ended_at);
create index webhook_deliveries_by_end on webhook_deliveries (last_attempt_at) include (status)
  where status in ('succeeded', 'failed');
