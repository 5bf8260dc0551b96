-- An export of an account reads each section page by page, in the order of these indexes.
drop index oauth_grants_of_user;
create index oauth_grants_of_user on oauth_grants (user_id, id);
drop index oauth_apps_by_creator;
create index oauth_apps_by_creator on oauth_apps (created_by, id) where created_by is not null;
drop index outgoing_mails_of_recipient;
create index outgoing_mails_of_recipient on outgoing_mails (recipient, id);
drop index events_of_member;
create index events_of_member on events ((object ->> 'email'), organization_id, id) where type like 'org.member.%';
drop index audit_entries_of_person;
create index audit_entries_of_person on audit_entries (target_id, organization_id, id) where target_type in ('user', 'member');
drop index audit_entries_by_email;
create index audit_entries_by_email on audit_entries ((coalesce(after ->> 'email', before ->> 'email')), organization_id, id)
  where coalesce(after ->> 'email', before ->> 'email') is not null;
