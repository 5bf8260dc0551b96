-- One-time links on which a new staff member sets a password and two-factor.
create table staff_setup_links (
  token_hash bytea primary key,
  -- Null for the link of a new installation: it makes the first owner.
  user_id text references users on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  spent_at timestamptz(3)
);
create index staff_setup_links_of_user on staff_setup_links (user_id);
create index staff_setup_links_expired on staff_setup_links (expires_at);

-- Whether the link for the first owner was printed.
alter table installation add column has_first_owner_link boolean not null default false;
