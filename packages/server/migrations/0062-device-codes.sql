-- RFC 8628: an app on a device without a browser is authorized in a browser elsewhere.
alter table oauth_apps add column device_flow boolean not null default false;

-- All of these are null except for device codes.
alter table oauth_artifacts
  -- HMAC of the code that the user types, under a key of the installation: a plain hash of so short a code could be guessed.
  add column user_code_hash bytea,
  -- When the codes stop working. The row is kept for a while longer, so that the device learns that they expired.
  add column code_expires_at timestamptz(3),
  -- When the user allowed or denied access; the first of the two counts.
  add column decided_at timestamptz(3),
  -- When the device last asked, and how long it has to wait until it asks again.
  add column polled_at timestamptz(3),
  add column poll_seconds integer;
create unique index oauth_artifacts_user_code on oauth_artifacts (user_code_hash) where user_code_hash is not null;
