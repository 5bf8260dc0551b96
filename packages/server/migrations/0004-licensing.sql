create table licenses (
  organization_id text not null references organizations,
  id text not null,
  key text not null,
  product text not null,
  max_seats integer not null check (max_seats between 1 and 100000),
  features jsonb not null,
  -- What the operator decided; that a license is expired is a comparison, never a stored state.
  state text not null check (state in ('active', 'suspended', 'revoked')),
  expires_at timestamptz(3) not null,
  -- True while something renews it before its expiry, so that nobody is warned in vain.
  renews boolean not null default false,
  -- Null means the setting; both in seconds.
  heartbeat_interval_seconds integer check (heartbeat_interval_seconds between 1 and 86400),
  session_timeout_seconds integer check (session_timeout_seconds between 1 and 604800),
  -- The expiry date of which license.expiring, and license.expired, have been announced: once for each date.
  expiring_announced_for timestamptz(3),
  expired_announced_for timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create unique index licenses_key on licenses (organization_id, key);
-- The operator names a license by its id alone.
create index licenses_id on licenses (id);
create index licenses_by_creation on licenses (organization_id, created_at, id);
create index licenses_by_expiry on licenses (organization_id, expires_at, id);
create index licenses_by_product on licenses (organization_id, product, id);
create index licenses_to_warn on licenses (expires_at)
  where state <> 'revoked' and not renews and expiring_announced_for is distinct from expires_at;
create index licenses_to_expire on licenses (expires_at)
  where state <> 'revoked' and expired_announced_for is distinct from expires_at;

-- One narrow row for each license, locked by whatever takes or ends one of its seats: that makes the count, and so the
-- announcement that the last seat is gone, exact. It is apart from licenses, so that a busy license rewrites little.
create table license_seat_counts (
  organization_id text not null,
  license_id text not null,
  -- Slots that hold a session, those past their timeout included until someone tidies up.
  taken integer not null default 0 check (taken >= 0),
  primary key (organization_id, license_id),
  foreign key (organization_id, license_id) references licenses
) with (fillfactor = 50);

-- One row for each seat. The key makes it impossible to give a seat twice, even to code that is wrong.
create table seat_slots (
  organization_id text not null,
  license_id text not null,
  slot integer not null check (slot >= 1),
  session_id text,
  user_id text,
  hardware_id text,
  metadata jsonb,
  started_at timestamptz(3),
  last_heartbeat timestamptz(3),
  -- When the session times out, in service time (see service_clock).
  deadline timestamptz(3),
  -- Not later than the deadline, and moved up to it only by the reaper: heartbeats then touch no index. Free: -infinity.
  reap_at timestamptz(3) not null default '-infinity',
  token_issued_at timestamptz(3),
  token_expires_at timestamptz(3),
  primary key (organization_id, license_id, slot),
  foreign key (organization_id, license_id) references licenses,
  check ((session_id is null) = (reap_at = '-infinity')),
  check ((session_id is null) = (deadline is null))
) with (fillfactor = 70);
create unique index seat_slots_session on seat_slots (organization_id, session_id) where session_id is not null;
-- One machine of one user never holds two seats of a license.
create unique index seat_slots_machine on seat_slots (organization_id, license_id, user_id, hardware_id)
  where session_id is not null;
create index seat_slots_claimable on seat_slots (organization_id, license_id, reap_at, slot);
create index seat_slots_to_reap on seat_slots (reap_at) where session_id is not null;

-- The history: one row for each session that ended, written once. Without a foreign key, as with events.
create table seat_sessions (
  organization_id text not null,
  id text not null,
  license_id text not null,
  user_id text not null,
  hardware_id text not null,
  metadata jsonb,
  started_at timestamptz(3) not null,
  last_heartbeat timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  status text not null check (status in ('released', 'timed_out')),
  primary key (organization_id, id)
);
create index seat_sessions_by_start on seat_sessions (organization_id, license_id, started_at, id);
create index seat_sessions_by_heartbeat on seat_sessions (organization_id, license_id, last_heartbeat, id);
create index seat_sessions_by_user on seat_sessions (organization_id, license_id, user_id, started_at, id);
create index seat_sessions_by_machine on seat_sessions (organization_id, license_id, hardware_id, started_at, id);

-- The RSA keys that sign license tokens. A retired key stays published until the last token it signed has expired.
create table license_signing_keys (
  id text primary key,
  public_key text not null,
  -- PKCS #8, encrypted under the master key.
  private_key bytea not null,
  created_at timestamptz(3) not null,
  retired_at timestamptz(3)
);
-- Exactly one key signs.
create unique index license_signing_keys_active on license_signing_keys ((true)) where retired_at is null;
