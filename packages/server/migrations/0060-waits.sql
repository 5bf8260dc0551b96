-- Machines that wait for a seat of a full license, first come, first served. Times are on the organization's clock, except
-- where service time is named. A row is changed only under the license's lock.
create table seat_waits (
  organization_id text not null,
  id text not null,
  license_id text not null,
  user_id text not null,
  hardware_id text not null,
  -- What the session gets. Gone once the wait is over.
  metadata jsonb,
  offline_seconds integer,
  -- Numbers are drawn under the license's lock, so they tell who came first.
  place bigint generated always as identity,
  joined_at timestamptz(3) not null,
  -- Until when the machine waits, in service time.
  deadline timestamptz(3) not null,
  -- Whether a free seat is kept for it.
  is_reserved boolean not null default false,
  -- When the wait ends if its machine does not ask, in service time: the deadline, or the end of the reservation.
  due_at timestamptz(3) not null,
  -- The number of changes that the license had when the wait last changed; see license_seat_counts.
  touched bigint not null,
  status text not null check (status in ('waiting', 'granted', 'expired', 'canceled')),
  -- Why it was canceled.
  reason text,
  session_id text,
  ended_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, license_id) references licenses,
  check ((status = 'waiting') = (ended_at is null)),
  check ((status = 'granted') = (session_id is not null))
);
-- A machine has one place in the line of a license.
create unique index seat_waits_machine on seat_waits (organization_id, license_id, user_id, hardware_id)
  where ended_at is null;
create index seat_waits_line on seat_waits (organization_id, license_id, place) where ended_at is null;
create index seat_waits_due on seat_waits (organization_id, license_id, due_at) where ended_at is null;
create index seat_waits_reserved on seat_waits (organization_id, license_id) where ended_at is null and is_reserved;
create index seat_waits_touched on seat_waits (organization_id, license_id, touched);
create index seat_waits_by_user on seat_waits (organization_id, user_id) where ended_at is null;
-- For the demand, and for deleting what is old.
create index seat_waits_by_start on seat_waits (organization_id, license_id, joined_at);
create index seat_waits_by_end on seat_waits (organization_id, ended_at) where ended_at is not null;

-- How many machines wait. While nobody does, taking and releasing a seat costs what it did before.
alter table license_seat_counts add column waiting integer not null default 0 check (waiting >= 0);
create index license_seat_counts_waiting on license_seat_counts (organization_id, license_id) where waiting > 0;
