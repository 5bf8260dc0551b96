-- The vendor's lists are sorted by one column and filtered by others. Where few rows pass, walking along the sort column reads
-- most of the table, so what is filtered by comes first here.

-- Whether a license has expired is a comparison with the clock, which no index can hold. Those that expire in one month stand
-- together, sorted by creation: a list takes a page of each month that it asks for. The date of expiry at the end decides within a
-- month, without reading the license.
create index licenses_of_all_by_expiry
  on licenses (state, date_trunc('month', expires_at at time zone 'UTC'), created_at, id, expires_at);
create index licenses_of_all_by_product_and_expiry
  on licenses (product, state, date_trunc('month', expires_at at time zone 'UTC'), created_at, id, expires_at);

create index organizations_suspended_by_name on organizations (lower(name) collate "C", id)
  where suspended_at is not null and deleted_at is null;

-- What staff and their programs did at one customer, and what customers did where most of the log was written by programs.
create index audit_entries_by_staff_of_organization on audit_entries (organization_id, created_at, id) where by_staff;
create index audit_entries_by_operator_of_organization on audit_entries (organization_id, created_at, id)
  where credential_kind = 'operator' and credential_id is null;
create index audit_entries_by_operator_token_of_organization on audit_entries (organization_id, created_at, id)
  where credential_kind = 'operator' and credential_id is not null;
create index audit_entries_by_user on audit_entries (created_at, id) where actor_user_id is not null and not by_staff;

create index payments_of_organization_by_status on payments (organization_id, status, created_at, id);

create index seat_refusals_by_code on seat_refusals (code, last_at, id);
create index seat_refusals_of_license_by_code on seat_refusals (organization_id, license_id, code, last_at, id);
create index seat_refusals_of_organization_by_code on seat_refusals (organization_id, code, last_at, id);
