-- What belongs to the whole installation rather than to one organization.

-- One row: proves that a process holds the same master key as the one that first used this database.
create table installation (
  id text primary key check (id = 'this'),
  key_check bytea not null,
  -- Whether the demonstration organization of a new sandbox was made.
  has_demonstration boolean not null default false,
  created_at timestamptz(3) not null
);

-- One row: the clock that seat timeouts run on. It stands still while no API process is alive, so that nobody loses
-- a seat because the service was away: service time = least(now, alive_at + 1 s) - away_ms.
create table service_clock (
  id text primary key check (id = 'this'),
  alive_at timestamptz(3) not null,
  away_ms bigint not null check (away_ms >= 0)
);
insert into service_clock (id, alive_at, away_ms) values ('this', clock_timestamp(), 0);
