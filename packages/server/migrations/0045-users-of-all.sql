alter table users
  -- When the user last logged in. Login sessions are deleted some time after their end, and this outlasts them.
  add column last_login_at timestamptz(3);
update users u set last_login_at = s.at
from (select user_id, max(created_at) as at from login_sessions group by user_id) s
where s.user_id = u.id and u.deleted_at is null;

-- For the vendor's people, who find a user by how the email address or the name begins.
create index users_of_all on users (created_at, id) where deleted_at is null;
create index users_by_email on users (email collate "C", id) where deleted_at is null;
create index users_by_name on users (lower(name) collate "C") where deleted_at is null;
create index users_locked on users (locked_until) where locked_until is not null and deleted_at is null;
