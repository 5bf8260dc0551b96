-- Payments that nothing explained go when they were closed long ago, or with the books of their organization.
create index orphaned_payments_closed on orphaned_payments (closed_at) where closed_at is not null;
create index orphaned_payments_by_organization on orphaned_payments (organization_id, id);

-- Payments that collected nothing have no invoice to go with. The others of an organization are not read to find them.
create index payments_that_failed on payments (organization_id, id)
  where invoice_id is null and status in ('declined', 'canceled');

-- What is still to be erased of a person or an organization: a portion that was erased is not read again by the next.
create index audit_entries_to_erase_of_actor on audit_entries (actor_user_id, organization_id, id)
  where client_address is not null
    or (target_type in ('api_token', 'login_session', 'oauth_grant') and (before is not null or after is not null));
drop index audit_entries_of_person;
create index audit_entries_of_person on audit_entries (target_id, organization_id, id)
  where target_type in ('user', 'member')
    and (before ?| '{email,name,avatar_url,user_agent,client_address}'::text[]
      or after ?| '{email,name,avatar_url,user_agent,client_address}'::text[]);
drop index audit_entries_by_email;
create index audit_entries_by_email
  on audit_entries ((coalesce(after ->> 'email', before ->> 'email')), organization_id, id)
  where coalesce(after ->> 'email', before ->> 'email') is not null;
create index audit_entries_to_erase on audit_entries (organization_id, id)
  where before is not null or after is not null or client_address is not null;
create index seat_sessions_to_erase on seat_sessions (user_id, organization_id, id)
  where metadata is not null and metadata - 'project_id' <> '{}';
drop index events_of_member;
create index events_of_member on events ((object ->> 'email'), organization_id, id) where type like 'org.member.%';

-- Deletions go along an index in its order, so that they never read a table from its beginning.
drop index login_challenges_of_user;
create index login_challenges_of_user on login_challenges (user_id, token_hash);
drop index oauth_grants_of_user;
create index oauth_grants_of_user on oauth_grants (user_id, organization_id, id);
drop index invitations_by_acceptor;
create index invitations_by_acceptor on invitations (accepted_by, organization_id, id) where accepted_by is not null;
drop index outgoing_mails_of_recipient;
create index outgoing_mails_of_recipient on outgoing_mails (recipient, id);
