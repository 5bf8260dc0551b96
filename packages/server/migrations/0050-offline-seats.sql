-- Until when a seat needs no heartbeat, on the organization's clock; null while it is used online. Its deadline is then the
-- same instant in service time.
alter table seat_slots add column offline_until timestamptz(3);
alter table seat_sessions add column offline_until timestamptz(3);
-- Few seats are offline, so heartbeats, which never change this column from null, stay out of the index.
create index seat_slots_offline on seat_slots (offline_until) where offline_until is not null;
create index seat_slots_offline_of_license on seat_slots (organization_id, license_id)
  where offline_until is not null and session_id is not null;

-- License tokens that are no longer good although they have not expired: those of a session that an admin released, of a
-- license that was suspended or revoked, and of all licenses of an organization that is suspended. Times are real.
create table license_revocations (
  organization_id text not null,
  -- The session (jti) or the license (lic).
  id text not null,
  cause text not null check (cause in ('released', 'license', 'organization')),
  revoked_at timestamptz(3) not null,
  -- When the last of its tokens expires. Nothing is listed after it.
  expires_at timestamptz(3) not null,
  primary key (organization_id, id, cause)
);
create index license_revocations_by_expiry on license_revocations (expires_at);
