alter table bearer_tokens drop constraint bearer_tokens_kind_check;
alter table bearer_tokens add constraint bearer_tokens_kind_check check (kind in ('session', 'api', 'oauth'));

create table oauth_apps (
  organization_id text not null references organizations,
  -- Also the client_id.
  id text not null,
  -- Null once its maker is no member any more: it stays the organization's, and being invited again gives no right back.
  created_by text references users,
  name text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  is_confidential boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
-- The authorization server knows only the client_id.
create unique index oauth_apps_id on oauth_apps (id);
create index oauth_apps_by_creation on oauth_apps (organization_id, created_at, id) where deleted_at is null;
create index oauth_apps_of_creator on oauth_apps (created_by) where deleted_at is null;
create index oauth_apps_by_name on oauth_apps (organization_id, name, id) where deleted_at is null;

-- The secrets of confidential apps: two may live at once, so that one can be rotated without an outage.
create table oauth_client_secrets (
  organization_id text not null,
  app_id text not null,
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  -- Null for the newest; the one before it ends when its overlap is over.
  expires_at timestamptz(3),
  primary key (organization_id, app_id, secret_hash),
  foreign key (organization_id, app_id) references oauth_apps
);
create index oauth_client_secrets_expired on oauth_client_secrets (expires_at) where expires_at is not null;

-- What a user lets an app do in one organization. All its tokens end with it.
create table oauth_grants (
  organization_id text not null references organizations,
  id text not null,
  user_id text not null references users,
  app_id text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (organization_id, id)
);
-- The authorization server's library knows a grant by this alone, so that what finds, locks and ends one for it names no
-- organization. Should the table be divided by organization, the identifier can carry it.
create unique index oauth_grants_id on oauth_grants (id);
create unique index oauth_grants_live on oauth_grants (user_id, app_id, organization_id) where ended_at is null;
create index oauth_grants_by_creation on oauth_grants (user_id, created_at, id) where ended_at is null;
create index oauth_grants_of_app on oauth_grants (app_id) where ended_at is null;
create index oauth_grants_ended on oauth_grants (ended_at) where ended_at is not null;

-- What the authorization server keeps: codes, access and refresh tokens, browser sessions, interactions under way.
create table oauth_artifacts (
  model text not null,
  -- SHA-256 of what the client or the browser holds.
  id_hash bytea not null,
  -- JSON, encrypted under the master key.
  payload bytea not null,
  user_id text,
  -- The library's own identifier of the grant, by which codes and tokens end together.
  grant_key text,
  -- SHA-256 of a browser login's second name, also at the interactions that were begun with it; of a code or token, of the
  -- code that its family began with: the family ends together when one of it is used twice.
  uid_hash bytea,
  -- Of a browser's login, as its user sees it in the list of logins.
  public_id text,
  client_address text,
  user_agent text,
  last_seen_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  consumed_at timestamptz(3),
  primary key (model, id_hash)
);
create index oauth_artifacts_of_grant on oauth_artifacts (grant_key) where grant_key is not null;
create index oauth_artifacts_of_user on oauth_artifacts (user_id, model) where user_id is not null;
create index oauth_artifacts_logins on oauth_artifacts (user_id, created_at, public_id) where public_id is not null;
create index oauth_artifacts_uid on oauth_artifacts (model, uid_hash) where uid_hash is not null;
create index oauth_artifacts_expired on oauth_artifacts (expires_at);
