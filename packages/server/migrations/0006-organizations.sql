alter table organizations
  -- Kept beside the memberships: the row is locked by whatever changes them, which also keeps the last admin.
  add column member_count integer not null default 0 check (member_count >= 0),
  add column billing_details jsonb,
  add column deleted_at timestamptz(3);
-- Another organization may take the slug of a deleted one. Partial also because a full unique index makes its column a key,
-- and an update of a key waits for everyone who refers to the row, and makes them wait.
drop index organizations_slug;
create unique index organizations_slug on organizations (slug) where deleted_at is null;
update organizations o set member_count = (select count(*) from memberships m where m.organization_id = o.id);

-- A copy of the user's name, so that members can be listed by it from one index.
alter table memberships add column user_name text;
update memberships m set user_name = u.name from users u where u.id = m.user_id;
alter table memberships alter column user_name set not null;
create index memberships_by_creation on memberships (organization_id, created_at, user_id);
create index memberships_by_name on memberships (organization_id, user_name, user_id);
create index memberships_by_role on memberships (organization_id, role, created_at, user_id);
create index memberships_of_user_by_creation on memberships (user_id, created_at, organization_id);

create table invitations (
  organization_id text not null references organizations,
  id text not null,
  email text not null,
  role text not null check (role in ('admin', 'billing', 'member')),
  invited_by text not null references users,
  token_hash bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  accepted_by text references users,
  revoked_at timestamptz(3),
  primary key (organization_id, id)
);
-- The one look-up that does not know the organization yet: the token gives it.
create unique index invitations_token on invitations (token_hash);
-- One open invitation for each address; an expired one is revoked when the address is invited again.
create unique index invitations_open on invitations (organization_id, email)
  where accepted_at is null and revoked_at is null;
create index invitations_by_creation on invitations (organization_id, created_at, id);
create index invitations_by_email on invitations (organization_id, email, id);
-- What somebody sent within a day, and what an address got, from whatever organization.
create index invitations_by_inviter on invitations (invited_by, created_at);
create index invitations_to_address on invitations (email, created_at);
create index invitations_by_role on invitations (organization_id, role, created_at, id);

create table projects (
  organization_id text not null references organizations,
  id text not null,
  name text not null,
  slug text not null,
  description text,
  status text not null check (status in ('active', 'archived')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create unique index projects_slug on projects (organization_id, slug);
create index projects_by_creation on projects (organization_id, created_at, id);
create index projects_by_update on projects (organization_id, updated_at, id);
create index projects_by_name on projects (organization_id, name, id);
create index projects_by_status on projects (organization_id, status, created_at, id);

-- The seats that a project uses now, and its history. Expressions, so that heartbeats and acquires stay as they are. Only
-- what is of the form of an id: metadata from before there were projects may hold a text there that no index row can.
create index seat_slots_of_project on seat_slots (organization_id, (metadata ->> 'project_id'))
  where metadata ->> 'project_id' ~ '^proj_[0-7][0-9a-hjkmnp-tv-z]{25}$';
create index seat_sessions_by_project
  on seat_sessions (organization_id, license_id, (metadata ->> 'project_id'), started_at, id)
  where metadata ->> 'project_id' ~ '^proj_[0-7][0-9a-hjkmnp-tv-z]{25}$';

-- What a project used in a day (UTC), counted when its sessions end, so that a report reads days instead of sessions.
create table project_usage_days (
  organization_id text not null,
  project_id text not null,
  -- The start of the day.
  day timestamptz(3) not null,
  sessions bigint not null default 0 check (sessions >= 0),
  seat_seconds bigint not null default 0 check (seat_seconds >= 0),
  primary key (organization_id, project_id, day)
);
