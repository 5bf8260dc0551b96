// Made by tools/generate.ts from the migrated schema; never edited.
import type { ColumnType, Generated } from 'kysely';

/** A time: read as a Date, written as a Date or ISO 8601 text. */
type Time = ColumnType<Date, Date | string, Date | string>;
/** JSON: read parsed, written as text. */
type Json = ColumnType<unknown, string | null, string | null>;

export interface ApiTokensTable {
  organization_id: string;
  id: string;
  user_id: string;
  name: string;
  prefix: string;
  scopes: string[];
  created_at: Time;
  expires_at: Time | null;
  revoked_at: Time | null;
  last_used_at: Time | null;
  replaced_by: string | null;
  expiry_told_days: number | null;
  age_told_at: Time | null;
}

export interface AuditEntriesTable {
  organization_id: string;
  id: string;
  action: string;
  actor_user_id: string | null;
  credential_kind: string;
  credential_id: string | null;
  request_id: string | null;
  client_address: string | null;
  target_type: string;
  target_id: string;
  before: Json;
  after: Json;
  created_at: Time;
}

export interface BearerTokensTable {
  token_hash: Buffer;
  kind: string;
  user_id: string;
  organization_id: string;
  source_id: string;
  scopes: string[] | null;
  created_at: Time;
  expires_at: Time | null;
  revoked_at: Time | null;
}

export interface BillingAccountsTable {
  organization_id: string;
  invoice_code: string;
  last_invoice_number: Generated<number>;
  customer_ref: string | null;
  created_at: Time;
  first_kept_invoice_number: Generated<number>;
}

export interface BillingCreditEntriesTable {
  organization_id: string;
  id: string;
  currency: string;
  amount: number;
  reason: string;
  subscription_id: string;
  invoice_id: string | null;
  created_at: Time;
}

export interface BillingCreditsTable {
  organization_id: string;
  currency: string;
  balance: number;
}

export interface CatalogueStateTable {
  id: string;
  applied_at: Time | null;
}

export interface CouponsTable {
  id: string;
  code: string;
  percent_off: number | null;
  amount_off: number | null;
  currency: string | null;
  duration: string;
  duration_months: number | null;
  redeem_by: Time | null;
  max_redemptions: number | null;
  redemptions: Generated<number>;
  archived_at: Time | null;
  created_at: Time;
  updated_at: Time;
}

export interface EventsTable {
  organization_id: string;
  id: string;
  type: string;
  created: Time;
  object: Json;
}

export interface IdempotencyKeysTable {
  organization_id: string;
  user_id: string;
  route: string;
  key: string;
  request_hash: Buffer;
  status: number;
  answer: Buffer;
  created_at: Time;
}

export interface InstallationTable {
  id: string;
  key_check: Buffer;
  has_demonstration: Generated<boolean>;
  created_at: Time;
  derived_keys: Buffer | null;
}

export interface InvitationsTable {
  organization_id: string;
  id: string;
  email: string;
  role: string;
  invited_by: string;
  token_hash: Buffer;
  created_at: Time;
  expires_at: Time;
  accepted_at: Time | null;
  accepted_by: string | null;
  revoked_at: Time | null;
}

export interface InvoicePdfsTable {
  organization_id: string;
  invoice_id: string;
  sha256: Buffer;
  content: Buffer;
  created_at: Time;
}

export interface InvoicesTable {
  organization_id: string;
  id: string;
  number: string;
  sequence: number;
  status: string;
  subscription_id: string;
  reason: string;
  period_index: number;
  period_start: Time;
  period_end: Time;
  currency: string;
  subtotal: number;
  discount: number;
  credit_applied: number;
  amount_due: number;
  amount_paid: number;
  lines: Json;
  buyer: Json;
  paid_with: Json;
  created_at: Time;
  paid_at: Time | null;
  closed_at: Time | null;
}

export interface LicenseSeatCountsTable {
  organization_id: string;
  license_id: string;
  taken: Generated<number>;
}

export interface LicenseSigningKeysTable {
  id: string;
  public_key: string;
  private_key: Buffer;
  created_at: Time;
  retired_at: Time | null;
}

export interface LicensesTable {
  organization_id: string;
  id: string;
  key: string;
  product: string;
  max_seats: number;
  features: Json;
  state: string;
  expires_at: Time;
  renews: Generated<boolean>;
  heartbeat_interval_seconds: number | null;
  session_timeout_seconds: number | null;
  expiring_announced_for: Time | null;
  expired_announced_for: Time | null;
  created_at: Time;
  updated_at: Time;
  subscription_id: string | null;
}

export interface LoginChallengesTable {
  token_hash: Buffer;
  user_id: string;
  created_at: Time;
  expires_at: Time;
  attempts: Generated<number>;
  spent_at: Time | null;
}

export interface LoginSessionsTable {
  user_id: string;
  id: string;
  organization_id: string;
  created_at: Time;
  ends_at: Time;
  ended_at: Time | null;
  client_address: string | null;
  user_agent: string | null;
  last_seen_at: Time;
}

export interface MailCountsTable {
  recipient: string;
  kind: string;
  queued_at: Date[];
  last_queued_at: Time;
}

export interface MasterKeyHoldersTable {
  process_id: string;
  key_ids: string[];
  active_key_id: string;
  seen_at: Time;
}

export interface MasterKeysTable {
  key_id: string;
  is_active: boolean;
  created_at: Time;
  completed_at: Time | null;
}

export interface MembershipsTable {
  organization_id: string;
  user_id: string;
  role: string;
  created_at: Time;
  user_name: string;
}

export interface MetersTable {
  name: string;
  aggregation: string;
  created_at: Time;
}

export interface OauthAppsTable {
  organization_id: string;
  id: string;
  created_by: string | null;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  is_confidential: boolean;
  created_at: Time;
  updated_at: Time;
  deleted_at: Time | null;
}

export interface OauthArtifactsTable {
  model: string;
  id_hash: Buffer;
  payload: Buffer;
  user_id: string | null;
  grant_key: string | null;
  uid_hash: Buffer | null;
  public_id: string | null;
  client_address: string | null;
  user_agent: string | null;
  last_seen_at: Time | null;
  created_at: Time;
  expires_at: Time;
  consumed_at: Time | null;
}

export interface OauthClientSecretsTable {
  organization_id: string;
  app_id: string;
  secret_hash: Buffer;
  created_at: Time;
  expires_at: Time | null;
}

export interface OauthGrantsTable {
  organization_id: string;
  id: string;
  user_id: string;
  app_id: string;
  scopes: string[];
  created_at: Time;
  updated_at: Time;
  ended_at: Time | null;
}

export interface OneTimeTokensTable {
  token_hash: Buffer;
  purpose: string;
  user_id: string;
  created_at: Time;
  expires_at: Time;
  spent_at: Time | null;
}

export interface OperatorTokensTable {
  id: string;
  token_hash: Buffer;
  name: string;
  prefix: string;
  created_at: Time;
  expires_at: Time | null;
  revoked_at: Time | null;
  revoked_because: string | null;
  last_used_at: Time | null;
}

export interface OrganizationsTable {
  id: string;
  name: string;
  slug: string;
  tier: Generated<string>;
  clock_offset_ms: Generated<number>;
  created_at: Time;
  updated_at: Time;
  member_count: Generated<number>;
  billing_details: Json;
  deleted_at: Time | null;
  erased_at: Time | null;
}

export interface OutgoingMailsTable {
  id: string;
  recipient: string;
  kind: string;
  content: Buffer | null;
  created_at: Time;
  due_at: Time;
  attempts: Generated<number>;
  claim_id: string | null;
  gave_up_at: Time | null;
  last_error: string | null;
}

export interface PasswordResetRequestsTable {
  id: string;
  email: string;
  created_at: Time;
}

export interface PaymentMethodsTable {
  organization_id: string;
  id: string;
  provider: string;
  provider_ref: string;
  type: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  is_default: boolean;
  created_at: Time;
  removed_at: Time | null;
  customer_ref: string | null;
  detach_due_at: Time | null;
  detach_tries: Generated<number>;
}

export interface PaymentsTable {
  organization_id: string;
  id: string;
  subscription_id: string;
  invoice_id: string | null;
  purpose: string;
  intent: Json;
  amount: number;
  currency: string;
  is_on_session: boolean;
  payment_method_id: string;
  method_ref: string;
  customer_ref: string;
  provider: string;
  provider_ref: string | null;
  status: string;
  decline_code: string | null;
  claimed_until: Time | null;
  next_check_at: Time | null;
  checks: Generated<number>;
  request_key: Buffer | null;
  request_hash: Buffer | null;
  requested_at: Generated<Time>;
  created_at: Time;
  settled_at: Time | null;
}

export interface PlansTable {
  id: string;
  key: string;
  name: string;
  description: string;
  price: number | null;
  currency: string;
  interval: string;
  contact_sales: Generated<boolean>;
  tier: string;
  product: string;
  features: Json;
  license_features: Json;
  included: Generated<Json>;
  grace_seconds: number;
  heartbeat_interval_seconds: number | null;
  session_timeout_seconds: number | null;
  archived_at: Time | null;
  created_at: Time;
  updated_at: Time;
  price_order: number | null;
}

export interface ProjectUsageDaysTable {
  organization_id: string;
  project_id: string;
  day: Time;
  sessions: Generated<number>;
  seat_seconds: Generated<number>;
}

export interface ProjectsTable {
  organization_id: string;
  id: string;
  name: string;
  slug: string;
  description: string | null;
  status: string;
  created_at: Time;
  updated_at: Time;
}

export interface ProviderEventsTable {
  provider: string;
  event_id: string;
  received_at: Time;
}

export interface RecoveryCodesTable {
  user_id: string;
  code_hash: Buffer;
  created_at: Time;
  used_at: Time | null;
}

export interface RefreshTokensTable {
  token_hash: Buffer;
  user_id: string;
  login_session_id: string;
  created_at: Time;
  expires_at: Time;
  used_at: Time | null;
  answer: Buffer | null;
}

export interface SandboxClockMovesTable {
  organization_id: string;
  move_id: string;
  target_offset_ms: number;
  began_at: Time;
  target_at: Time;
  seconds: number;
  request_key: Buffer | null;
  leased_until: Time;
}

export interface SeatSessionsTable {
  organization_id: string;
  id: string;
  license_id: string;
  user_id: string;
  hardware_id: string;
  metadata: Json;
  started_at: Time;
  last_heartbeat: Time;
  ended_at: Time;
  status: string;
}

export interface SeatSlotsTable {
  organization_id: string;
  license_id: string;
  slot: number;
  session_id: string | null;
  user_id: string | null;
  hardware_id: string | null;
  metadata: Json;
  started_at: Time | null;
  last_heartbeat: Time | null;
  deadline: Time | null;
  reap_at: Generated<Time>;
  token_issued_at: Time | null;
  token_expires_at: Time | null;
}

export interface ServiceClockTable {
  id: string;
  alive_at: Time;
  away_ms: number;
}

export interface SubscriptionsTable {
  organization_id: string;
  id: string;
  status: string;
  plan_id: string;
  quantity: number;
  currency: string;
  anchor: Time;
  period_index: number;
  current_period_start: Time;
  current_period_end: Time;
  period_accrued: string;
  period_billed: number;
  coupon_id: string | null;
  cancel_at_period_end: Generated<boolean>;
  canceled_at: Time | null;
  canceled_by: string | null;
  cancel_reason: string | null;
  ended_at: Time | null;
  latest_invoice_id: string | null;
  license_id: string | null;
  requires_action: Generated<boolean>;
  pending_payment_id: string | null;
  pending_quantity: number | null;
  pending_plan_id: string | null;
  pending_expires_at: Time | null;
  dunning_retries: Generated<number>;
  next_attempt_at: Time | null;
  dunning_ends_at: Time | null;
  next_action_at: Time | null;
  created_at: Time;
  updated_at: Time;
}

export interface TestCardsTable {
  ref: string;
  card: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  customer_ref: string | null;
  is_set_up: Generated<boolean>;
  detached_at: Time | null;
  created_at: Time;
  is_named: Generated<boolean>;
  refusals: Generated<number>;
}

export interface TestChargesTable {
  ref: string;
  attempt_id: string;
  customer_ref: string;
  card_ref: string;
  amount: number;
  currency: string;
  is_on_session: boolean;
  purpose: string;
  status: string;
  decline_code: string | null;
  resolves_at: Time | null;
  created_at: Time;
  confirms: Generated<number>;
}

export interface TwoFactorSecretsTable {
  user_id: string;
  secret: Buffer;
  created_at: Time;
  enabled_at: Time | null;
  last_time_step: number | null;
}

export interface UnsentEventsTable {
  organization_id: string;
  event_id: string;
  announced_at: Time;
}

export interface UsageHoursTable {
  organization_id: string;
  meter: string;
  hour: Time;
  total: string;
  highest: string;
  last_at: Time;
  last_id: string;
  last_value: string;
}

export interface UsageRecordsTable {
  organization_id: string;
  id: string;
  meter: string;
  value: string;
  at: Time;
  idempotency_key: string | null;
  recorded_by: string;
  recorded_at: Time;
}

export interface UsageSeatHoursTable {
  organization_id: string;
  hour: Time;
  active_at_start: number;
  peak: number;
}

export interface UsageSeatMarksTable {
  organization_id: string;
  counted_until: Time;
}

export interface UsersTable {
  id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  password_hash: string;
  failed_logins: Generated<number>;
  locked_until: Time | null;
  created_at: Time;
  updated_at: Time;
  email_verified_at: Time | null;
  password_changed_at: Time | null;
  lock_told_until: Time | null;
  deleted_at: Time | null;
  erased_email: string | null;
}

export interface WebhookAttemptsTable {
  organization_id: string;
  delivery_id: string;
  number: number;
  endpoint_id: string;
  kind: string;
  started_at: Time;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  address: string | null;
  response_excerpt: string | null;
}

export interface WebhookDeliveriesTable {
  organization_id: string;
  endpoint_id: string;
  id: string;
  event_id: string;
  event_type: string;
  status: string;
  attempts: Generated<number>;
  step: Generated<number>;
  last_status_code: number | null;
  last_error: string | null;
  last_attempt_at: Time | null;
  next_attempt_id: string | null;
  next_attempt_at: Time | null;
  created_at: Time;
  test_object: Json;
}

export interface WebhookEndpointStatesTable {
  organization_id: string;
  endpoint_id: string;
  status: string;
  disabled_reason: string | null;
  must_hold: Generated<boolean>;
  destination: string;
  in_flight: Generated<number>;
  in_flight_limit: Generated<number>;
  swift_in_row: Generated<number>;
  is_cautious: Generated<boolean>;
  turn_at: Time | null;
  failures_in_row: Generated<number>;
  failing_since: Time | null;
  is_silent: Generated<boolean>;
}

export interface WebhookEndpointsTable {
  organization_id: string;
  id: string;
  url: string;
  events: string[];
  description: string | null;
  created_at: Time;
  updated_at: Time;
  deleted_at: Time | null;
}

export interface WebhookPlannedAttemptsTable {
  organization_id: string;
  endpoint_id: string;
  id: string;
  delivery_id: string;
  kind: string;
  priority: number;
  due_at: Time;
  claim_id: string | null;
  leased_until: Time | null;
}

export interface WebhookReplaysTable {
  organization_id: string;
  endpoint_id: string;
  id: string;
  status: string;
  since: Time;
  until: Time;
  only_failed: boolean;
  total: number;
  replayed: Generated<number>;
  after_created_at: Time;
  after_id: string;
  created_at: Time;
  completed_at: Time | null;
}

export interface WebhookSecretsTable {
  organization_id: string;
  endpoint_id: string;
  id: string;
  secret: Buffer;
  created_at: Time;
  ends_at: Time | null;
}

export interface Tables {
  api_tokens: ApiTokensTable;
  audit_entries: AuditEntriesTable;
  bearer_tokens: BearerTokensTable;
  billing_accounts: BillingAccountsTable;
  billing_credit_entries: BillingCreditEntriesTable;
  billing_credits: BillingCreditsTable;
  catalogue_state: CatalogueStateTable;
  coupons: CouponsTable;
  events: EventsTable;
  idempotency_keys: IdempotencyKeysTable;
  installation: InstallationTable;
  invitations: InvitationsTable;
  invoice_pdfs: InvoicePdfsTable;
  invoices: InvoicesTable;
  license_seat_counts: LicenseSeatCountsTable;
  license_signing_keys: LicenseSigningKeysTable;
  licenses: LicensesTable;
  login_challenges: LoginChallengesTable;
  login_sessions: LoginSessionsTable;
  mail_counts: MailCountsTable;
  master_key_holders: MasterKeyHoldersTable;
  master_keys: MasterKeysTable;
  memberships: MembershipsTable;
  meters: MetersTable;
  oauth_apps: OauthAppsTable;
  oauth_artifacts: OauthArtifactsTable;
  oauth_client_secrets: OauthClientSecretsTable;
  oauth_grants: OauthGrantsTable;
  one_time_tokens: OneTimeTokensTable;
  operator_tokens: OperatorTokensTable;
  organizations: OrganizationsTable;
  outgoing_mails: OutgoingMailsTable;
  password_reset_requests: PasswordResetRequestsTable;
  payment_methods: PaymentMethodsTable;
  payments: PaymentsTable;
  plans: PlansTable;
  project_usage_days: ProjectUsageDaysTable;
  projects: ProjectsTable;
  provider_events: ProviderEventsTable;
  recovery_codes: RecoveryCodesTable;
  refresh_tokens: RefreshTokensTable;
  sandbox_clock_moves: SandboxClockMovesTable;
  seat_sessions: SeatSessionsTable;
  seat_slots: SeatSlotsTable;
  service_clock: ServiceClockTable;
  subscriptions: SubscriptionsTable;
  test_cards: TestCardsTable;
  test_charges: TestChargesTable;
  two_factor_secrets: TwoFactorSecretsTable;
  unsent_events: UnsentEventsTable;
  usage_hours: UsageHoursTable;
  usage_records: UsageRecordsTable;
  usage_seat_hours: UsageSeatHoursTable;
  usage_seat_marks: UsageSeatMarksTable;
  users: UsersTable;
  webhook_attempts: WebhookAttemptsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_endpoint_states: WebhookEndpointStatesTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_planned_attempts: WebhookPlannedAttemptsTable;
  webhook_replays: WebhookReplaysTable;
  webhook_secrets: WebhookSecretsTable;
}
