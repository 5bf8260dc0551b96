alter table users
  add column email_verified_at timestamptz(3),
  -- Whatever was opened by an older proof of identity has ended.
  add column password_changed_at timestamptz(3),
  -- The lock that the owner has been told of by mail.
  add column lock_told_until timestamptz(3);
-- Nobody is told of locks from before there were mails.
update users set lock_told_until = locked_until where locked_until is not null;
create index users_to_tell_of_lock on users (locked_until)
  where locked_until is not null and locked_until is distinct from lock_told_until;

alter table login_sessions
  -- From where and with what the login was opened, as its owner sees it in the list of logins.
  add column client_address text,
  add column user_agent text,
  -- When it was opened or last refreshed.
  add column last_seen_at timestamptz(3);
update login_sessions set last_seen_at = created_at;
alter table login_sessions alter column last_seen_at set not null;
create index login_sessions_by_creation on login_sessions (user_id, created_at, id) where ended_at is null;
-- The present refresh token of each login: the one that is not used.
create index refresh_tokens_unused on refresh_tokens (user_id, login_session_id) where used_at is null;

-- Secrets that are mailed to prove an address: each is spent once.
create table one_time_tokens (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('reset_password', 'verify_email')),
  user_id text not null references users,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  spent_at timestamptz(3)
);
create index one_time_tokens_of_user on one_time_tokens (user_id, purpose, created_at);
create index one_time_tokens_expired on one_time_tokens (expires_at);

-- Somebody asked to reset the password of this address. Whether there is such an account is found out later, by a job,
-- so that the request takes equally long for both.
create table password_reset_requests (
  id text primary key,
  email text not null,
  created_at timestamptz(3) not null
);

create table two_factor_secrets (
  user_id text primary key references users,
  -- The TOTP secret (RFC 6238), encrypted under the master key.
  secret bytea not null,
  created_at timestamptz(3) not null,
  -- Null while it is only set up.
  enabled_at timestamptz(3),
  -- The last time step that a code was accepted of: a step is spent once (RFC 6238 section 5.2).
  last_time_step bigint
);

create table recovery_codes (
  user_id text not null references users,
  -- HMAC-SHA-256 under a key derived from the master key, since 50 bits alone could be searched.
  code_hash bytea not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- A login whose password was right and that waits for the second factor.
create table login_challenges (
  token_hash bytea primary key,
  user_id text not null references users,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  attempts integer not null default 0 check (attempts >= 0),
  spent_at timestamptz(3)
);
create index login_challenges_of_user on login_challenges (user_id) where spent_at is null;
create index login_challenges_expired on login_challenges (expires_at);

alter table api_tokens
  -- The token that took this one's place by rotation.
  add column replaced_by text,
  -- How many days before its expiry the owner was last told of it: 7, then 1.
  add column expiry_told_days integer check (expiry_told_days in (7, 1)),
  -- When the owner was told that the token is 90 days old.
  add column age_told_at timestamptz(3);
create index api_tokens_to_warn on api_tokens (expires_at)
  where revoked_at is null and replaced_by is null and expires_at is not null and expiry_told_days is distinct from 1;
create index api_tokens_to_rotate on api_tokens (created_at)
  where revoked_at is null and replaced_by is null and age_told_at is null;
