-- Links to the webhooks screens of one organization, for a page that embeds them. Each becomes a session of that page, once.
create table portal_links (
  -- SHA-256 of the secret in the link.
  link_hash bytea primary key,
  id text not null,
  organization_id text not null references organizations,
  -- The admin who created the link. It is worth no more than what they may do at the time of a request.
  user_id text not null references users,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  exchanged_at timestamptz(3),
  -- SHA-256 of the session's token, once the link was exchanged for it.
  session_hash bytea,
  session_expires_at timestamptz(3)
);
create index portal_links_by_session on portal_links (session_hash) where session_hash is not null;
create index portal_links_expired on portal_links (expires_at);
create index portal_links_of_user on portal_links (user_id, link_hash);
create index portal_links_of_organization on portal_links (organization_id, id);

alter table audit_entries drop constraint audit_entries_credential_kind_check;
alter table audit_entries add constraint audit_entries_credential_kind_check
  check (credential_kind in ('session', 'api', 'oauth', 'none', 'operator', 'portal'));
