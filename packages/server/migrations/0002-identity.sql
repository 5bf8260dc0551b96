create table users (
  id text primary key,
  email text not null,
  name text not null,
  avatar_url text,
  password_hash text not null,
  failed_logins integer not null default 0 check (failed_logins >= 0),
  locked_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-- E-mail addresses are stored in lower case, so that one person cannot register twice.
create unique index users_email on users (email);

create table organizations (
  id text primary key,
  name text not null,
  slug text not null,
  -- The rate-limit tier: free, pro or enterprise.
  tier text not null default 'free' check (tier in ('free', 'pro', 'enterprise')),
  -- How far this organization's own clock runs ahead of real time (sandbox time travel); zero in production.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index organizations_slug on organizations (slug);
-- The jobs that look for what is due ask the few organizations with a clock of their own apart.
create index organizations_with_offset on organizations (id) where clock_offset_ms > 0;

create table memberships (
  organization_id text not null references organizations,
  user_id text not null references users,
  role text not null check (role in ('admin', 'billing', 'member')),
  created_at timestamptz(3) not null,
  primary key (organization_id, user_id)
);
create index memberships_of_user on memberships (user_id, organization_id);

-- A login and all tokens that descend from it: the family that ends as one.
create table login_sessions (
  user_id text not null references users,
  id text not null,
  organization_id text not null references organizations,
  created_at timestamptz(3) not null,
  -- Sliding refreshes never carry a login past this.
  ends_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (user_id, id)
);
create index login_sessions_over on login_sessions (ends_at);

-- Every bearer token, found by its hash before anything else is known. The token gives the organization.
create table bearer_tokens (
  token_hash bytea primary key,
  kind text not null check (kind in ('session', 'api')),
  user_id text not null references users,
  organization_id text not null references organizations,
  -- The login session's or the API token's identifier.
  source_id text not null,
  -- Null means every scope that the user's role allows (session tokens).
  scopes text[],
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index bearer_tokens_of_source on bearer_tokens (user_id, source_id);
create index bearer_tokens_expired on bearer_tokens (expires_at) where expires_at is not null;

create table refresh_tokens (
  token_hash bytea primary key,
  user_id text not null references users,
  login_session_id text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  -- The answer that the first use got, encrypted under a key derived from the old token, kept for some seconds.
  answer bytea,
  foreign key (user_id, login_session_id) references login_sessions on delete cascade
);
create index refresh_tokens_of_login on refresh_tokens (user_id, login_session_id);
create index refresh_tokens_expired on refresh_tokens (expires_at);
create index refresh_tokens_answered on refresh_tokens (used_at) where answer is not null;

create table api_tokens (
  organization_id text not null references organizations,
  id text not null,
  user_id text not null references users,
  name text not null,
  -- What is shown of the token after its creation: its first characters.
  prefix text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (organization_id, id)
);
create index api_tokens_by_creation on api_tokens (organization_id, user_id, created_at, id);
create index api_tokens_by_name on api_tokens (organization_id, user_id, name, id);
