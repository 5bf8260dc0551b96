-- Who released a session: its own user, or an admin. Null for sessions that timed out or ended before this was kept.
alter table seat_sessions add column released_by text;

-- Acquires that were refused, counted by license, user, machine, code and minute. The id is made from these, so that every
-- process adds to the same row. Those beyond what a process keeps apart are counted without user and machine.
create table seat_refusals (
  organization_id text not null,
  id text not null,
  license_id text not null,
  code text not null,
  user_id text,
  hardware_id text,
  count bigint not null check (count > 0),
  -- All times of a row lie in one minute, on the organization's clock.
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  -- At the last of them.
  active_seats integer not null,
  max_seats integer not null,
  primary key (organization_id, id)
);
create index seat_refusals_of_license on seat_refusals (organization_id, license_id, last_at, id);
create index seat_refusals_of_organization on seat_refusals (organization_id, last_at, id);
create index seat_refusals_of_user on seat_refusals (user_id, last_at, id);
create index seat_refusals_by_time on seat_refusals (last_at, id);

-- When license.seat.refused was last sent for a license and a code.
create table seat_refusal_announcements (
  organization_id text not null,
  license_id text not null,
  code text not null,
  announced_at timestamptz(3) not null,
  primary key (organization_id, license_id, code)
);
