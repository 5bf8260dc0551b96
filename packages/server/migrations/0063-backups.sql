-- Which scheduled backup was made last, and which process is making one. Of all processes of an installation, one makes it.
create table backup_runs (
  id text primary key check (id = 'this'),
  -- The time that the newest scheduled backup was due at.
  slot timestamptz(3),
  claimed_by text,
  claimed_until timestamptz(3),
  -- When the newest backup was complete, scheduled or not.
  completed_at timestamptz(3)
);
insert into backup_runs (id) values ('this');
