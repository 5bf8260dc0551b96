-- A user who deleted the account, until nothing of them is left. Their address is free at once: `email` is a placeholder then,
-- and the old one stands in `erased_email` until the last row that names it is gone.
alter table users
  add column deleted_at timestamptz(3),
  add column erased_email text,
  add check ((deleted_at is null) = (erased_email is null));
create index users_deleted on users (deleted_at, id) where deleted_at is not null;

-- When nothing was left of a deleted organization but its books and its audit log.
alter table organizations add column erased_at timestamptz(3);
create index organizations_to_erase on organizations (deleted_at, id) where deleted_at is not null and erased_at is null;
create index organizations_erased on organizations (erased_at, id) where erased_at is not null;

-- What names a person, whatever organization it belongs to.
create index audit_entries_by_person on audit_entries (actor_user_id, organization_id, id) where actor_user_id is not null;
create index audit_entries_of_person on audit_entries (target_id) where target_type in ('user', 'member');
create index audit_entries_by_email on audit_entries ((coalesce(after ->> 'email', before ->> 'email')))
  where coalesce(after ->> 'email', before ->> 'email') is not null;
create index events_of_member on events ((object ->> 'email')) where type like 'org.member.%';
create index api_tokens_of_user on api_tokens (user_id, organization_id, id);
create index outgoing_mails_of_recipient on outgoing_mails (recipient);
create index seat_sessions_of_user on seat_sessions (user_id, organization_id, id);

-- Whatever refers to a user or an organization is found when the row that it refers to is deleted.
drop index login_challenges_of_user;
create index login_challenges_of_user on login_challenges (user_id);
create index invitations_by_acceptor on invitations (accepted_by) where accepted_by is not null;
create index oauth_apps_by_creator on oauth_apps (created_by) where created_by is not null;
create index oauth_grants_of_user on oauth_grants (user_id);
