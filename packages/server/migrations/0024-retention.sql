-- What deletions of old rows go along. Those of large tables that belong to organizations go through the organizations, one
-- after the other, along an index that begins with the organization.
create index api_tokens_ended on api_tokens (least(revoked_at, expires_at))
  where revoked_at is not null or expires_at is not null;
create index operator_tokens_ended on operator_tokens (least(revoked_at, expires_at));
create index invitations_ended on invitations (least(accepted_at, revoked_at, expires_at));
create index password_reset_requests_of_email on password_reset_requests (email);
create index oauth_apps_deleted on oauth_apps (deleted_at) where deleted_at is not null;
create index users_unverified on users (created_at, id) where email_verified_at is null;
create index project_usage_days_by_day on project_usage_days (organization_id, day, project_id);
-- An endpoint has one organization. Unless the planner knows, it expects far fewer deliveries of both together, and sorts them
-- all for a portion.
create statistics webhook_deliveries_of_endpoint (dependencies) on organization_id, endpoint_id from webhook_deliveries;
create index test_cards_of_customer on test_cards (customer_ref) where customer_ref is not null;
-- Who logged in to an organization last, and what is left of an organization that was deleted.
create index login_sessions_of_organization on login_sessions (organization_id, last_seen_at);
create index bearer_tokens_of_organization on bearer_tokens (organization_id);

-- The number of the oldest invoice that is still kept: those before it were deleted when their time was over.
alter table billing_accounts
  add column first_kept_invoice_number integer not null default 1 check (first_kept_invoice_number >= 1);
