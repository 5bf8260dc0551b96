-- An organization's clock that is being moved forward: one at a time, and one row for as long as it goes on. Whoever moves it
-- is known by move_id and says now and then that it is still there; of a process that died the row stays until the next move.
create table sandbox_clock_moves (
  organization_id text primary key,
  move_id text not null,
  -- How far the clock runs ahead when the move is done.
  target_offset_ms bigint not null check (target_offset_ms > 0),
  -- The organization's time when it began, and the one that it moves to.
  began_at timestamptz(3) not null,
  target_at timestamptz(3) not null,
  seconds integer not null check (seconds >= 1),
  -- Whose request it is, so that its repetition goes on with it: a keyed hash of the user and the Idempotency-Key.
  request_key bytea,
  -- Real time.
  leased_until timestamptz(3) not null
);

-- What is due next in one organization, which the jobs ask of all of them at once.
create index licenses_to_warn_of_organization on licenses (organization_id, expires_at)
  where state <> 'revoked' and not renews and expiring_announced_for is distinct from expires_at;
create index licenses_to_expire_of_organization on licenses (organization_id, expires_at)
  where state <> 'revoked' and not renews and expired_announced_for is distinct from expires_at;
