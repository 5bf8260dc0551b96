-- The vendor reads the audit log across organizations: all of it, one action, or what one person or program did.
create index audit_entries_of_all on audit_entries (created_at, id);
create index audit_entries_of_all_by_action on audit_entries (action, created_at, id);
create index audit_entries_of_all_by_actor on audit_entries (coalesce(actor_user_id, credential_id), created_at, id)
  where coalesce(actor_user_id, credential_id) is not null;
-- Most entries are of customers, so those of others have indexes of their own, which an entry of a customer costs nothing.
create index audit_entries_by_staff on audit_entries (created_at, id) where by_staff;
create index audit_entries_by_operator on audit_entries (created_at, id)
  where credential_kind = 'operator' and credential_id is null;
create index audit_entries_by_operator_token on audit_entries (created_at, id)
  where credential_kind = 'operator' and credential_id is not null;
create index audit_entries_by_unknown on audit_entries (created_at, id)
  where actor_user_id is null and credential_kind <> 'operator';
