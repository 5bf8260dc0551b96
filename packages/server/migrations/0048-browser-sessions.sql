alter table login_sessions
  -- Whether the login's secret is a browser's cookie. It has no refresh tokens then: its use renews it.
  add column by_cookie boolean not null default false;
