// Made by tools/generate.ts from openapi.json; never edited.

export interface AcceptInvitationBody {
  /** The code of the mail. */
  token: string;
}

export interface AccountExport {
  user?: Record<string, unknown>;
  /** Your organizations, with your role and when you joined. */
  organizations?: Array<Record<string, unknown>>;
  /** Events of your invitations, and of how you joined, changed roles and left. */
  membership_events?: Array<Record<string, unknown>>;
  two_factor?: Record<string, unknown>;
  /** Your OAuth grants to apps. */
  oauth_grants?: Array<Record<string, unknown>>;
  /** Your logins at the authorization server. */
  browser_logins?: Array<Record<string, unknown>>;
  /** The apps that you registered. */
  oauth_apps?: Array<Record<string, unknown>>;
  /** Invitations to your address. */
  invitations_received?: Array<Record<string, unknown>>;
  /** Invitations that you sent, without the addresses of others. */
  invitations_sent?: Array<Record<string, unknown>>;
  /** Mails to you that have not been sent yet. */
  mails_waiting?: Array<Record<string, unknown>>;
  /** Your logins, past and current, with IP address and user agent. */
  login_sessions?: Array<Record<string, unknown>>;
  /** Your API tokens, without their secrets. */
  api_tokens?: Array<Record<string, unknown>>;
  /** The seats that you hold now, with the metadata that your programs sent. */
  held_seats?: Array<Record<string, unknown>>;
  /** The seats that you used, with the metadata that your programs sent. */
  seat_sessions?: Array<Record<string, unknown>>;
  /** What you did, and from which IP address. */
  audit_entries?: Array<Record<string, unknown>>;
  /** What others did to your account, your memberships, and invitations to your address. */
  audit_entries_about_you?: Array<Record<string, unknown>>;
  /** Pass it as `cursor` to continue the sections that have more. Null when the export is complete. */
  next_cursor: string | null;
}

export interface AcquireSeatBody {
  license_key: string;
  /** hw_[a-z0-9]{32}, chosen by the client. */
  hardware_id: string;
  /**
   * Anything the client wants to find again in the session; at most 50 keys and 8 KiB of JSON. `project_id`, if given,
   * must be the id of an active project, whose usage the session then counts for.
   */
  metadata?: Record<string, unknown>;
}

export interface AcquiredSeat {
  session_id: string;
  /** A JWT signed with RS256; check it offline with the public key. */
  license_token: string;
  /** The token's expiry. */
  expires_at: string;
  /** Seconds between heartbeats. */
  heartbeat_interval: number;
  /**
   * What the license allows: ai_assistance, cloud_workstations, team_collaboration and priority_support, each true or
   * false, and any that the vendor adds, which can also be numbers or strings.
   */
  features: Record<string, boolean | number | string>;
}

export interface AdvanceSandboxClockBody {
  /** How far to move the clock forward; ten years at most. */
  seconds: number;
}

export interface ApiToken {
  id: string;
  name: string;
  /** The first characters of the token, to recognise it by. */
  prefix: string;
  scopes: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
  status: 'active' | 'expired';
  created_at: string;
  expires_at: string | null;
  /** True to the minute. */
  last_used_at: string | null;
  /** The token that took its place by rotation. */
  replaced_by: string | null;
}

export interface AppliedCoupon {
  id: string;
  code: string;
  /** Null when a fixed amount is taken off. */
  percent_off: number | null;
  /** In minor units of the currency; null when a percentage is taken off. */
  amount_off: number | null;
  /** Of the amount; null with a percentage. */
  currency: string | null;
  duration: 'once' | 'repeating' | 'forever';
  /** How many months a repeating coupon counts for; null for the others. */
  duration_months: number | null;
}

export interface AttachPaymentMethodBody {
  /** The payment provider's identifier of it, or in the sandbox the name of a test card. */
  payment_method_id: string;
  /** Whether renewals are charged to it from now on. */
  set_default?: boolean;
}

export interface AuditLogEntry {
  id: string;
  /** A noun and what happened to it, such as `member.removed`. */
  action: string;
  actor: {
    /** `operator` is a command on the server; `operator_token` is one of the operator's own programs. */
    type: 'user' | 'operator' | 'operator_token' | 'unknown';
    /** Null where nobody was logged in. */
    user_id: string | null;
    credential: {
      kind: 'session' | 'api' | 'oauth' | 'none' | 'operator';
      /** The login, the API token or the OAuth grant. */
      id: string | null;
    };
  };
  request_id: string | null;
  client_address: string | null;
  target: {
    type: string;
    id: string;
  };
  /** What the API shows of the thing. */
  before: Record<string, unknown> | null;
  /** What the API shows of the thing. */
  after: Record<string, unknown> | null;
  created_at: string;
}

export interface CancelSubscriptionBody {
  /** False: at the end of the current period. */
  cancel_immediately?: boolean;
  reason?: string;
}

export interface Card {
  /** In lower case, as the payment provider names it: visa, mastercard … */
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

export interface ChangeMemberRoleBody {
  role: 'member' | 'billing' | 'admin';
}

export interface ChangePreview {
  /** The number of seats. */
  quantity: number;
  plan_id: string;
  /** ISO 8601, UTC, milliseconds. */
  proration_at: string;
  /** In minor units of the currency, discounts taken off: charged when positive, credited when negative. */
  amount: number;
  /** The lines of the invoice for this change; empty if nothing would be charged. */
  lines: InvoiceLine[];
  /** The sum of the lines, in minor units of the currency. */
  subtotal: number;
  /** The coupon discount, in minor units of the currency. */
  discount: number;
  /** The sum of the tax lines, in minor units of the currency. */
  tax: number;
  /** One for each tax rate; empty if there is no tax. */
  tax_lines: InvoiceTaxLine[];
  /** subtotal - discount + tax, in minor units of the currency. */
  total: number;
  /** The credit applied to this invoice, in minor units of the currency. */
  credit_applied: number;
  /** total - credit_applied, in minor units of the currency. */
  amount_due: number;
  /** What would become credit for the next invoices. */
  credit_added: number;
  /** What is too little to be charged by itself: the next change of the period bills it, or its renewal. */
  carried: number;
  /** ISO 4217, lower case. */
  currency: string;
  /** The description as it appears on the invoice. */
  description: string;
  /** What the next period would cost, before credit. */
  next_period_amount: number;
}

export interface ChangedSubscription {
  id: string;
  status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
  plan: PlanSummary;
  /** The number of seats. */
  quantity: number;
  /** ISO 8601, UTC, milliseconds. */
  current_period_start: string;
  /** ISO 8601, UTC, milliseconds. */
  current_period_end: string;
  cancel_at_period_end: boolean;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  /** When it was asked to be canceled; null when it was not. */
  canceled_at: string | null;
  /** When it ended for good; null while it lives. */
  ended_at: string | null;
  coupon: AppliedCoupon | null;
  latest_invoice_id: string | null;
  /** The license that it pays for; null until the first payment. */
  license_id: string | null;
  /** Whether a payment waits for the customer to authenticate it. */
  requires_action: boolean;
  /** A change that takes effect when it is paid; null when none waits. */
  pending_change: {
    /** The number of seats. */
    quantity: number;
    plan_id: string;
    /** ISO 8601, UTC, milliseconds. */
    expires_at: string;
    /** The payment provider's secret to confirm the payment with; empty where nothing was to be paid. */
    client_secret: string;
  } | null;
}

export interface ClientSecret {
  created_at: string;
  expires_at: string | null;
}

export interface ConfirmSandboxPaymentBody {
  client_secret: string;
  /** Whether the customer authenticates the payment. */
  outcome: 'succeed' | 'fail';
}

export interface CreateApiTokenBody {
  name: string;
  scopes: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
  /** When the token ends; null, or left out: never. */
  expires_at?: string | null;
}

export interface CreateInvitationBody {
  /** An e-mail address. Spaces around it and capital letters make no difference. */
  email: string;
  role: 'member' | 'billing' | 'admin';
}

export interface CreateOauthAppBody {
  name: string;
  /**
   * Where a browser may be sent back to, compared character by character: https, http for 127.0.0.1, [::1] and
   * localhost, and for public apps schemes such as com.example.app:/callback.
   */
  redirect_uris: string[];
  scopes: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
  /**
   * Whether the app can keep a secret: true for one that runs on a server, false for one on a phone, a desktop or in a
   * browser. It stays so.
   */
  confidential: boolean;
}

export interface CreateOrganizationBody {
  name: string;
  /** Lower-case letters and digits, joined by single hyphens. No two organizations have the same. */
  slug?: string;
}

export interface CreateProjectBody {
  name: string;
  /** Lower-case letters and digits, joined by hyphens; unique in the organization. */
  slug?: string;
  description?: string | null;
}

export interface CreateSubscriptionBody {
  plan_id: string;
  /** The number of seats. */
  quantity: number;
  /** The payment provider's id of a method, or that of one which is attached already. */
  payment_method_id: string;
  coupon_code?: string;
}

export interface CreateWebhookBody {
  /** An https URL without credentials and fragment, at a public address. */
  url: string;
  /**
   * Types of events, groups such as `license.*` or `license.seat.*`, or `*` for all, those to come included. What is
   * named twice counts once.
   */
  events: string[];
  description?: string | null;
  /**
   * A signing secret of your own: printable ASCII characters, no space at either end. Left out, one is made, which
   * every stock library for webhooks takes.
   */
  secret?: string;
}

export interface CreatedApiToken {
  id: string;
  name: string;
  /** The first characters of the token, to recognise it by. */
  prefix: string;
  scopes: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
  status: 'active' | 'expired';
  created_at: string;
  expires_at: string | null;
  /** True to the minute. */
  last_used_at: string | null;
  /** The token that took its place by rotation. */
  replaced_by: string | null;
  /** The secret. It is shown this once; only its hash is kept. */
  token: string;
}

export interface CreatedSubscription {
  id: string;
  status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
  /** The payment provider's secret to confirm the payment with; empty where nothing was to be paid. */
  client_secret: string;
  /** Whether the customer must authenticate the payment. */
  requires_action: boolean;
}

export interface CreatedWebhookEndpoint {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  /** paused by you, or disabled by the service because every attempt failed for days; events are held. */
  status: 'active' | 'paused' | 'disabled';
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
  /** The signing secret. It is shown this once. */
  secret: string;
}

export interface DeleteMeBody {
  password: string;
  /** Required when two-factor authentication is on: a code from your authenticator app, or a recovery code. */
  code?: string;
}

export interface DeleteOrganizationBody {
  /** The name of the organization, exactly. */
  confirm: string;
}

export interface DisableTwoFactorBody {
  password: string;
  /** Six digits from the authenticator app, or a recovery code in any case, with or without its hyphen. */
  code: string;
}

export interface EmailVerified {
  status: 'verified';
}

export interface EnableTwoFactorBody {
  /** Six digits from the authenticator app. Spaces make no difference. */
  code: string;
}

export interface Event {
  /** Unique per event; use it to deduplicate. */
  id: string;
  type: string;
  created: string;
  data: {
    object: Record<string, unknown>;
  };
  organization_id: string;
}

export interface EventType {
  type: string;
  description: string;
  /** JSON Schema of data.object. */
  schema: Record<string, unknown>;
  example: Record<string, unknown>;
}

export interface ForgotPasswordBody {
  /** An e-mail address. Spaces around it and capital letters make no difference. */
  email: string;
}

export interface Heartbeat {
  session_id: string;
  status: 'active';
  /** ISO 8601, UTC, milliseconds. */
  next_heartbeat_due: string;
  /** Fresh, when less than half of the last one is left. */
  license_token?: string;
  /** ISO 8601, UTC, milliseconds. */
  expires_at?: string;
}

export interface HeartbeatSeatBody {
  session_id: string;
}

export interface Invitation {
  id: string;
  organization_id: string;
  email: string;
  role: 'member' | 'billing' | 'admin';
  status: 'pending' | 'accepted' | 'expired' | 'revoked';
  invited_by: string;
  created_at: string;
  expires_at: string;
  accepted_at: string | null;
}

export interface Invoice {
  id: string;
  /** For people, without gaps in an organization; null while it is a draft. */
  number: string | null;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  subscription_id: string;
  /** ISO 8601, UTC, milliseconds. */
  period_start: string;
  /** ISO 8601, UTC, milliseconds. */
  period_end: string;
  /** The sum of the lines, in minor units of the currency. */
  subtotal: number;
  /** The coupon discount, in minor units of the currency. */
  discount: number;
  /** The sum of the tax lines, in minor units of the currency. */
  tax: number;
  /** One for each tax rate; empty if there is no tax. */
  tax_lines: InvoiceTaxLine[];
  /** subtotal - discount + tax, in minor units of the currency. */
  total: number;
  /** The credit applied to this invoice, in minor units of the currency. */
  credit_applied: number;
  /** total - credit_applied, in minor units of the currency. */
  amount_due: number;
  /** The coupon that gives the discount; null if there is none. */
  coupon_code: string | null;
  /** In minor units of the currency. */
  amount_paid: number;
  /** ISO 4217, lower case. */
  currency: string;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  /** Null until it is paid. */
  paid_at: string | null;
  /** When it was paid, made void or given up; null while it is open. */
  closed_at: string | null;
  /** Where the invoice is as a PDF; it wants a token, too. */
  pdf_url: string;
  lines: InvoiceLine[];
}

export interface InvoiceLine {
  description: string;
  quantity: number;
  /** In minor units of the currency; negative where something is credited. */
  unit_amount: number;
  /** Always quantity times unit_amount. */
  amount: number;
}

export interface InvoiceTaxLine {
  name: string;
  /** A decimal number, such as 19.0. */
  percent: string;
  /** The amount that is taxed, in minor units of the currency. */
  taxable: number;
  /** In minor units of the currency. */
  amount: number;
}

export interface JsonWebKeySet {
  keys: Array<Record<string, unknown>>;
}

export interface LastFailure {
  at: string;
  error: string;
  status_code: number | null;
}

export interface License {
  id: string;
  /** Four groups of five characters. */
  key: string;
  product: string;
  /** Most sessions at one time. */
  max_seats: number;
  active_seats: number;
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** ISO 8601, UTC; null for a perpetual license. */
  expires_at: string | null;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
}

export interface LicenseDetail {
  id: string;
  /** Four groups of five characters. */
  key: string;
  product: string;
  /** Most sessions at one time. */
  max_seats: number;
  active_seats: number;
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** ISO 8601, UTC; null for a perpetual license. */
  expires_at: string | null;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  available_seats: number;
  /**
   * What the license allows: ai_assistance, cloud_workstations, team_collaboration and priority_support, each true or
   * false, and any that the vendor adds, which can also be numbers or strings.
   */
  features: Record<string, boolean | number | string>;
  /** The active ones, newest first, at most 100. */
  sessions: LicenseSession[];
}

export interface LicensePublicKey {
  algorithm: 'RS256';
  key_id: string;
  /** SPKI, PEM. */
  public_key: string;
  jwk: Record<string, unknown>;
  issuer: string;
  audience: string;
}

export interface LicenseSession {
  id: string;
  user_id: string;
  /** The machine, as the client names it. */
  hardware_id: string;
  /** ISO 8601, UTC, milliseconds. */
  started_at: string;
  /** ISO 8601, UTC, milliseconds. */
  last_heartbeat: string;
}

export interface LicenseSessionRecord {
  id: string;
  user_id: string;
  /** The machine, as the client names it. */
  hardware_id: string;
  /** ISO 8601, UTC, milliseconds. */
  started_at: string;
  /** ISO 8601, UTC, milliseconds. */
  last_heartbeat: string;
  license_id: string;
  status: 'active' | 'released' | 'timed_out';
  /** ISO 8601, UTC, milliseconds. */
  ended_at: string | null;
  metadata: Record<string, unknown> | null;
}

export interface LoggedOut {
  status: 'logged_out';
}

export type LoginAnswer = LoginResult | TwoFactorRequired;

export interface LoginBody {
  /** An e-mail address. Spaces around it and capital letters make no difference. */
  email: string;
  password: string;
}

export interface LoginResult {
  user: UserSummary;
  access_token: string;
  refresh_token: string;
  /** When the access token expires. */
  expires_at: string;
}

export interface MakeSandboxPaymentMethodBody {
  /** The number of a test card; blanks and hyphens are ignored. */
  number: string;
  /** 1 to 12. */
  exp_month: number;
  /** With all four digits. */
  exp_year: number;
  /** Any three digits; four of an American Express card. */
  cvc: string;
}

export interface Member {
  user_id: string;
  organization_id: string;
  email: string;
  name: string;
  /** A picture of the user: the one that they set, or else a neutral silhouette. */
  avatar_url: string;
  role: 'member' | 'billing' | 'admin';
  /** When they joined. */
  created_at: string;
}

export interface OauthApp {
  id: string;
  /** The same as id. */
  client_id: string;
  name: string;
  redirect_uris: string[];
  scopes: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
  confidential: boolean;
  /** Null once its maker has left the organization: then it is for the admins to change. */
  created_by: string | null;
  created_at: string;
  updated_at: string;
  /** The client secrets that live, the newest first: two while one takes the place of the other. */
  secrets: ClientSecret[];
}

export interface OauthAppWithSecret {
  id: string;
  /** The same as id. */
  client_id: string;
  name: string;
  redirect_uris: string[];
  scopes: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
  confidential: boolean;
  /** Null once its maker has left the organization: then it is for the admins to change. */
  created_by: string | null;
  created_at: string;
  updated_at: string;
  /** The client secrets that live, the newest first: two while one takes the place of the other. */
  secrets: ClientSecret[];
  /** The secret; null for a public app. It is shown this once; only its hash is kept. */
  client_secret: string | null;
}

export interface OauthGrant {
  id: string;
  app: {
    id: string;
    name: string;
  };
  /** Where the app acts; not who owns it. */
  organization_id: string;
  scopes: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
  created_at: string;
  /** When the user last agreed. */
  updated_at: string;
}

export interface OperatorPayment {
  id: string;
  /** Null if the provider does not name the organization. */
  organization_id: string | null;
  /** Null if the provider does not name the subscription. */
  subscription_id: string | null;
  /** The invoice that the payment is for. */
  invoice_id: string | null;
  /** One of create, change, renewal, retry and pay. */
  purpose: string | null;
  /** The billing period that the payment is for, counted from 0. */
  period_index: number | null;
  /** The number of the attempt for that period, counted from 1. */
  attempt: number | null;
  /** In minor units of the currency. */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  status: 'pending' | 'requires_action' | 'processing' | 'succeeded' | 'declined' | 'canceled' | 'orphaned';
  /** Why the payment was declined. */
  decline_code: string | null;
  /** Why the payment is orphaned, if it is. */
  orphaned_because: string | null;
  provider: 'stripe' | 'test';
  /** The identifier at the provider. */
  provider_ref: string | null;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  /** When the outcome was known. */
  settled_at: string | null;
}

export interface Organization {
  id: string;
  name: string;
  slug: string;
  /** The role that the caller has in it. */
  role: 'member' | 'billing' | 'admin';
  created_at: string;
  updated_at: string;
  member_count: number;
  /** Whom invoices are made out to. Shown to the role `billing` and higher; null to others. */
  billing_details: {
    legal_name: string | null;
    address: string | null;
    tax_id: string | null;
    email: string | null;
  } | null;
}

export interface OwnLogin {
  id: string;
  /** `api` was opened by POST /v1/auth/login, `browser` at the pages where apps are allowed in. */
  kind: 'api' | 'browser';
  created_at: string;
  /** When it was opened or last refreshed, or a browser last used it. */
  last_seen_at: string;
  /** When it ends unless it is refreshed before. */
  expires_at: string;
  client_address: string | null;
  user_agent: string | null;
  /** Where its requests act that name no other organization; null for a browser, which asks each time. */
  organization_id: string | null;
  /** Whether it is the login that asks. */
  is_current: boolean;
}

export interface PasswordChanged {
  status: 'password_changed';
}

export interface PaymentMethod {
  id: string;
  type: 'card';
  card: Card;
  /** Whether renewals are charged to it. */
  is_default: boolean;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
}

export interface PendingChange {
  /** The number of seats. */
  quantity: number;
  plan_id: string;
  /** ISO 8601, UTC, milliseconds. */
  expires_at: string;
}

export interface Plan {
  id: string;
  name: string;
  description: string;
  /** Of one seat for one interval, in minor units of the currency; null when sold by contact. */
  price: number | null;
  /** ISO 4217, lower case. */
  currency: string;
  interval: 'month';
  /** Only on the plan that is sold by contact: nobody can subscribe to it here. */
  contact_sales?: boolean;
  features: PlanFeatures;
}

export interface PlanFeatures {
  /** The most seats that a subscription can have: a number, or `unlimited`. */
  seats: number | 'unlimited';
  ai_assistance: boolean;
  cloud_workstations: boolean;
  priority_support: boolean;
  sso: boolean;
  audit_logs: boolean;
  dedicated_support: boolean;
}

export interface PlanSummary {
  id: string;
  name: string;
  /** Of one seat for one interval, in minor units of the currency; null when sold by contact. */
  price: number | null;
  /** ISO 4217, lower case. */
  currency: string;
  interval: 'month';
}

export interface Project {
  id: string;
  name: string;
  /** Lower-case letters and digits, joined by hyphens; unique in the organization. */
  slug: string;
  description: string | null;
  status: 'active' | 'archived';
  created_at: string;
  updated_at: string;
}

export interface ProjectUsage {
  project_id: string;
  /** The start of the present calendar month, UTC. */
  period_start: string;
  /** The start of the next one. */
  period_end: string;
  seats: {
    /** Now. */
    used: number;
  };
  /** Those that ended in the period and those that are active now. */
  sessions: number;
  /** How long those lasted that ended in the period, in seconds, each rounded to the nearest. */
  seat_seconds: number;
}

export interface RecordUsageBody {
  organization_id: string;
  /** As the catalogue names it, for example ai_tokens. */
  meter: string;
  /** At most 6 decimals, and at most 15 digits in all. */
  value: number;
  /** When it was used, on the organization's clock: from 35 days ago to 5 minutes ahead, in any order. */
  at: string;
  /**
   * Your own name of this record, unique for the organization and the meter: sent again, it answers the first record
   * with 200 and counts nothing. It outlives the header Idempotency-Key, which is kept for 24 hours.
   */
  idempotency_key?: string;
}

export interface RecoveryCodes {
  /** Shown this once. Each takes the place of a code from the app, once. */
  recovery_codes: string[];
}

export interface RefreshBody {
  refresh_token: string;
}

export interface RegisterBody {
  /** An e-mail address. Spaces around it and capital letters make no difference. */
  email: string;
  /** Not one of the common ones, nor the name or the address itself. */
  password: string;
  name: string;
}

export interface ReleaseSeatBody {
  session_id: string;
}

export interface ReleasedSeat {
  session_id: string;
  status: 'released';
  /** ISO 8601, UTC, milliseconds. */
  released_at: string;
}

export interface RenewRecoveryCodesBody {
  password: string;
  /** Six digits from the authenticator app, or a recovery code in any case, with or without its hyphen. */
  code: string;
}

export interface ReplayWebhookBody {
  /** The deliveries of events created at this time or later. */
  since: string;
  /** Only those of events created before this time; now, when it is left out or later than now. */
  until?: string;
  /** Only what failed for good or is held; false: also what succeeded. What is pending or was a test is never taken. */
  only_failed?: boolean;
  /** Only count; answered with status 200. */
  dry_run?: boolean;
}

export interface ResetAccepted {
  status: 'accepted';
}

export interface ResetPasswordBody {
  /** The code of the mail. */
  token: string;
  /** Not one of the common ones, nor the name or the address itself. */
  password: string;
}

export interface RotateApiTokenBody {
  /** How long the old token still works, unless it expires before; with 0 it ends at once. */
  overlap_seconds?: number;
  /** When the new token ends; null: never. Left out: it lives as long as the old one was made to. */
  expires_at?: string | null;
}

export interface RotateOauthAppSecretBody {
  /** How long the secret before the new one lives on. */
  overlap_seconds?: number;
}

export interface RotateWebhookSecretBody {
  /**
   * A signing secret of your own: printable ASCII characters, no space at either end. Left out, one is made, which
   * every stock library for webhooks takes.
   */
  secret?: string;
  /** How long the secrets before the new one still sign beside it; with 0 they end at once. */
  overlap_seconds?: number;
}

export interface RotatedWebhookEndpoint {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  /** paused by you, or disabled by the service because every attempt failed for days; events are held. */
  status: 'active' | 'paused' | 'disabled';
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
  /** The signing secret. It is shown this once. */
  secret: string;
  /** When the secrets before the present one stop signing; null when only the present one signs. */
  previous_secret_expires_at: string | null;
}

export interface SandboxClock {
  /** The organization's own time. */
  now: string;
  /** How far that is ahead of real time. */
  offset_seconds: number;
}

export interface SandboxClockAdvanced {
  /** The organization's own time. */
  now: string;
  /** How far that is ahead of real time. */
  offset_seconds: number;
  /** What the clock showed before. */
  from: string;
  /** In the order of their times; the first 1,000. */
  happened: Array<{
    /** By the organization's clock. */
    at: string;
    /** An event's type, or `webhook.attempt`. */
    type: string;
    /** The event; of an attempt, the delivery. */
    id: string;
    /** What it happened to: the id of the event's object; of an attempt, the endpoint. */
    resource_id: string | null;
  }>;
  /** How many there were in all. */
  count: number;
}

export interface SandboxPayment {
  status: 'succeeded' | 'declined' | 'processing' | 'requires_action' | 'canceled' | 'unknown';
  /** Why it was declined. */
  decline_code: string | null;
}

export interface SandboxPaymentMethod {
  /** To be given as `payment_method_id`, by any organization, once. */
  id: string;
  type: 'card';
  card: {
    brand: string;
    last4: string;
    exp_month: number;
    exp_year: number;
  };
}

export interface SessionTokens {
  access_token: string;
  refresh_token: string;
  /** When the access token expires. */
  expires_at: string;
}

export interface Subscription {
  id: string;
  status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
  plan: PlanSummary;
  /** The number of seats. */
  quantity: number;
  /** ISO 8601, UTC, milliseconds. */
  current_period_start: string;
  /** ISO 8601, UTC, milliseconds. */
  current_period_end: string;
  cancel_at_period_end: boolean;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  /** When it was asked to be canceled; null when it was not. */
  canceled_at: string | null;
  /** When it ended for good; null while it lives. */
  ended_at: string | null;
  coupon: AppliedCoupon | null;
  latest_invoice_id: string | null;
  /** The license that it pays for; null until the first payment. */
  license_id: string | null;
  /** Whether a payment waits for the customer to authenticate it. */
  requires_action: boolean;
  /** A change that takes effect when it is paid; null when none waits. */
  pending_change: PendingChange | null;
}

export interface TestWebhookBody {
  /** Any type of event, whether the endpoint subscribed to it or not. */
  type: string;
}

export interface TwoFactorDisabled {
  status: 'disabled';
}

export interface TwoFactorRequired {
  /** Always true. */
  requires_2fa: boolean;
  /** For POST /v1/auth/2fa/verify; lives 5 minutes and 5 attempts. */
  challenge_token: string;
  method: 'totp';
}

export interface TwoFactorSetup {
  /** The secret in base32, for typing it into an authenticator app. */
  secret: string;
  /** The same as an address, for showing it as a QR code. */
  otpauth_url: string;
}

export interface UpdateMeBody {
  name?: string;
  /** An https address of a picture; null removes it, and the neutral silhouette is shown. */
  avatar_url?: string | null;
  /** Not one of the common ones, nor the name or the address itself. */
  password?: string;
  current_password?: string;
}

export interface UpdateOauthAppBody {
  name?: string;
  /**
   * Where a browser may be sent back to, compared character by character: https, http for 127.0.0.1, [::1] and
   * localhost, and for public apps schemes such as com.example.app:/callback.
   */
  redirect_uris?: string[];
  scopes?: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
}

export interface UpdateOrganizationBody {
  name?: string;
  /** Lower-case letters and digits, joined by single hyphens. No two organizations have the same. */
  slug?: string;
  /** Fields that are left out stay as they are; null clears a field, or all of them. */
  billing_details?: {
    legal_name?: string | null;
    /** As it stands on an envelope; lines are separated by line feeds. */
    address?: string | null;
    tax_id?: string | null;
    /** An e-mail address. Spaces around it and capital letters make no difference. */
    email?: string | null;
  } | null;
}

export interface UpdateProjectBody {
  name?: string;
  /** Lower-case letters and digits, joined by hyphens; unique in the organization. */
  slug?: string;
  description?: string | null;
  status?: 'active' | 'archived';
}

export interface UpdateSubscriptionBody {
  /** The number of seats. */
  quantity?: number;
  plan_id?: string;
}

export interface UpdateWebhookBody {
  /** An https URL without credentials and fragment, at a public address. */
  url?: string;
  /**
   * Types of events, groups such as `license.*` or `license.seat.*`, or `*` for all, those to come included. What is
   * named twice counts once.
   */
  events?: string[];
  description?: string | null;
  status?: 'active' | 'paused';
}

export interface UsageRecord {
  id: string;
  organization_id: string;
  meter: string;
  value: number;
  at: string;
  idempotency_key: string | null;
  /** On the organization's clock. */
  recorded_at: string;
}

export interface UsageSummary {
  /** The current period of the oldest subscription that is active or past due; without one the calendar month, UTC. */
  period_start: string;
  /** Exclusive. */
  period_end: string;
  seats: {
    /** The sum of max_seats of the licenses that can be used now. */
    included: number;
    /** Seats in use now, of all licenses. */
    used: number;
    /** The most at one moment of the period so far. */
    peak: number;
  };
  ai_tokens: {
    /** Included in a period by the plans of the subscriptions that are active or past due; not per seat. */
    included: number;
    used: number;
  };
  storage_gb: {
    /** Included in a period by the plans of the subscriptions that are active or past due; not per seat. */
    included: number;
    used: number;
  };
  /** The further meters of the catalogue, by their names. */
  meters: Record<string, {
    /** Included in a period by the plans of the subscriptions that are active or past due; not per seat. */
    included: number;
    used: number;
  }>;
}

export interface User {
  id: string;
  email: string;
  name: string;
  /** A picture of the user: the one that they set, or else a neutral silhouette. */
  avatar_url: string;
  created_at: string;
  /** Whether the user has shown that mails to the address reach them. */
  email_verified: boolean;
  /** Whether logging in asks for a second factor. */
  two_factor_enabled: boolean;
  organization: {
    id: string;
    name: string;
    role: 'member' | 'billing' | 'admin';
  };
}

export interface UserSummary {
  id: string;
  email: string;
  name: string;
}

export interface VerificationSent {
  status: 'sent';
}

export interface VerifyEmailBody {
  /** The code of the mail. */
  token: string;
}

export interface VerifyTwoFactorBody {
  challenge_token: string;
  /** Six digits from the authenticator app, or a recovery code in any case, with or without its hyphen. */
  code: string;
}

export interface WebhookAttempt {
  number: number;
  /** When it began. */
  at: string;
  duration_ms: number;
  /** The status that the endpoint answered; null when it answered none. */
  status_code: number | null;
  /**
   * Why it failed: http_status, redirect, dns_error, forbidden_address, connect_timeout, connection_refused,
   * connection_reset, network_unreachable, tls_error, timeout, invalid_response, event_expired or signing_error (both
   * ours); null for success.
   */
  error: string | null;
  /** The beginning of the answer, at most 4 KiB of it. */
  response_excerpt: string | null;
  /** The address that was dialled; null when it was never known. */
  address: string | null;
  /** What made it happen: the schedule, POST …/retry, POST …/test or a replay. */
  trigger: 'scheduled' | 'manual' | 'test' | 'replay';
}

export interface WebhookDelivery {
  /** What X-Service-Delivery says at each attempt. */
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  /**
   * pending: an attempt is planned or under way. succeeded: the endpoint answered 2xx. failed: every attempt of the
   * schedule failed. held: the endpoint was paused or disabled; replay or retry it.
   */
  status: 'pending' | 'succeeded' | 'failed' | 'held';
  /** Attempts that have ended. */
  attempt_count: number;
  /** The status that the endpoint answered; null when it answered none. */
  last_status_code: number | null;
  /**
   * Why it failed: http_status, redirect, dns_error, forbidden_address, connect_timeout, connection_refused,
   * connection_reset, network_unreachable, tls_error, timeout, invalid_response, event_expired or signing_error (both
   * ours); null for success.
   */
  last_error: string | null;
  last_attempt_at: string | null;
  /** When the schedule makes its next attempt. */
  next_attempt_at: string | null;
  /** When the event was created. */
  created_at: string;
  /** Whether it was sent by POST /v1/webhooks/{webhook_id}/test. */
  is_test: boolean;
}

export interface WebhookDeliveryDetail {
  /** What X-Service-Delivery says at each attempt. */
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  /**
   * pending: an attempt is planned or under way. succeeded: the endpoint answered 2xx. failed: every attempt of the
   * schedule failed. held: the endpoint was paused or disabled; replay or retry it.
   */
  status: 'pending' | 'succeeded' | 'failed' | 'held';
  /** Attempts that have ended. */
  attempt_count: number;
  /** The status that the endpoint answered; null when it answered none. */
  last_status_code: number | null;
  /**
   * Why it failed: http_status, redirect, dns_error, forbidden_address, connect_timeout, connection_refused,
   * connection_reset, network_unreachable, tls_error, timeout, invalid_response, event_expired or signing_error (both
   * ours); null for success.
   */
  last_error: string | null;
  last_attempt_at: string | null;
  /** When the schedule makes its next attempt. */
  next_attempt_at: string | null;
  /** When the event was created. */
  created_at: string;
  /** Whether it was sent by POST /v1/webhooks/{webhook_id}/test. */
  is_test: boolean;
  /** The oldest first; of more than 100, the newest 100. */
  attempts: WebhookAttempt[];
  /** The event as it is sent; null when it is kept no more. */
  event: Event | null;
}

export interface WebhookEndpoint {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  /** paused by you, or disabled by the service because every attempt failed for days; events are held. */
  status: 'active' | 'paused' | 'disabled';
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookEndpointDetail {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  /** paused by you, or disabled by the service because every attempt failed for days; events are held. */
  status: 'active' | 'paused' | 'disabled';
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
  /** When the secrets before the present one stop signing; null when only the present one signs. */
  previous_secret_expires_at: string | null;
  statistics: WebhookEndpointStatistics;
}

export interface WebhookEndpointStatistics {
  /** Those of the last 7 days, the last 1,000 at most: all else is of these. */
  attempts: number;
  succeeded: number;
  failed: number;
  /** From 0 to 1; null without attempts. */
  success_rate: number | null;
  /** What 95 of 100 attempts took at most; null without attempts. */
  p95_duration_ms: number | null;
  last_failure: LastFailure | null;
}

export interface WebhookReplay {
  /** null in a dry run. */
  id: string | null;
  webhook_id: string;
  /** running also while the endpoint is paused or disabled: it goes on when the endpoint is active again. */
  status: 'running' | 'completed' | 'canceled' | 'dry_run';
  since: string;
  until: string;
  only_failed: boolean;
  /** The deliveries that it was about when it was asked for. Counted up to 1,000,000; a replay takes all. */
  total: number;
  /**
   * The deliveries that were taken up so far. Those that succeeded or were deleted meanwhile are left out, so it may
   * end below total.
   */
  replayed: number;
  created_at: string;
  /**
   * When the last attempt of it had begun (at an endpoint that fails: had failed twice), or the replay was canceled.
   */
  completed_at: string | null;
}

/** Every error code, its status and the shape of its details. */
export interface ApiErrors {
  /** A unique thing exists already. */
  already_exists: {
    status: 409;
    details: {
      field: string;
    };
  };
  /** The state does not allow it. */
  conflict: {
    status: 409;
  };
  /** The role is too low, or another kind of token is needed. */
  forbidden: {
    status: 403;
    details: {
      required_role?: string;
      required_token?: string;
    };
  };
  /** The request line and headers are over 16 KiB. */
  headers_too_large: {
    status: 431;
  };
  /** The request came over plain HTTP. */
  https_required: {
    status: 403;
  };
  /** The first request with this Idempotency-Key is still running. */
  idempotency_in_progress: {
    status: 409;
  };
  /** The Idempotency-Key was used for another request. */
  idempotency_key_reused: {
    status: 422;
  };
  /** The token lacks a scope; the message names it. */
  insufficient_scope: {
    status: 403;
    details: {
      required_scope: string;
    };
  };
  /** A fault of the service; the request id finds it in the log. */
  internal_error: {
    status: 500;
  };
  /** The e-mail address, the password or the code is wrong, or the account is locked. */
  invalid_credentials: {
    status: 401;
  };
  /** hardware_id is not hw_ followed by 32 characters of a-z and 0-9. */
  invalid_hardware_id: {
    status: 422;
    details: {
      expected_format: string;
    };
  };
  /** Malformed JSON, or a missing, mistyped, out-of-range or unknown field or query parameter. */
  invalid_request: {
    status: 400;
    details: {
      field: string;
      reason: 'required' | 'type' | 'format' | 'min' | 'max' | 'length' | 'enum' | 'unknown' | 'malformed';
    };
  };
  /** No token, or one that is unknown, revoked or of the other environment. */
  invalid_token: {
    status: 401;
  };
  /** Acquire or heartbeat on a license past its expiry. */
  license_expired: {
    status: 403;
    details: {
      expired_at: string;
    };
  };
  /** The operator revoked the license. */
  license_revoked: {
    status: 403;
  };
  /** The operator suspended the license. */
  license_suspended: {
    status: 403;
  };
  /** Every seat of the license is taken. */
  no_seats_available: {
    status: 409;
    details: {
      max_seats: number;
      active_seats: number;
    };
  };
  /** No such thing in this organization, or an unknown route. */
  not_found: {
    status: 404;
    details: {
      resource: string;
    };
  };
  /** The body is over 256 KiB. */
  payload_too_large: {
    status: 413;
    details: {
      max_bytes: number;
    };
  };
  /** The card was declined; nothing was bought or changed. */
  payment_failed: {
    status: 422;
    details: {
      /** Why, as the payment provider names it. */
      decline_code: string;
    };
  };
  /** The only payment method of a live subscription cannot be deleted. */
  payment_method_in_use: {
    status: 409;
    details: {
      subscription_ids: string[];
    };
  };
  /** A rate limit is exceeded; see Retry-After. */
  rate_limit_exceeded: {
    status: 429;
    details: {
      limit: number;
      reset_at: string;
      retry_after: number;
    };
  };
  /** The request did not arrive in time. */
  request_timeout: {
    status: 408;
  };
  /** The database is away, or the server drains; see Retry-After. */
  service_unavailable: {
    status: 503;
  };
  /** Heartbeat of a session that was released. */
  session_released: {
    status: 409;
    details: {
      released_at: string;
    };
  };
  /** The session missed its heartbeats and lost its seat. */
  session_timeout: {
    status: 409;
    details: {
      last_heartbeat: string;
      timeout_at: string;
    };
  };
  /** The token is past its expiry. */
  token_expired: {
    status: 401;
    details: {
      expired_at: string;
    };
  };
  /** The body is not application/json. */
  unsupported_media_type: {
    status: 415;
  };
  /** Well-formed, but a business rule refuses it. */
  validation_failed: {
    status: 422;
    details: {
      field: string;
      reason: string;
    };
  };
}

export type ErrorCode = keyof ApiErrors;

/** The codes that every operation can answer. */
export type CommonErrorCode =
  | 'headers_too_large'
  | 'https_required'
  | 'internal_error'
  | 'invalid_request'
  | 'rate_limit_exceeded'
  | 'request_timeout'
  | 'service_unavailable';

/** The codes that every operation which needs a token can answer besides. */
export type TokenErrorCode = 'insufficient_scope' | 'invalid_token' | 'not_found' | 'token_expired';

/** Every operation: how it is called, what it takes, what `data` it answers, and with which codes it refuses. */
export interface Operations {
  /**
   * Register a user. Makes the user and an organization named after them, of which they are the admin, and logs them
   * in. Needs no token.
   */
  register: {
    method: 'POST';
    path: '/v1/auth/register';
    body: RegisterBody;
    data: LoginResult;
    errors:
      | CommonErrorCode
      | 'already_exists'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'validation_failed';
  };

  /**
   * Log in. Where two-factor is on, the answer is a challenge for POST /v1/auth/2fa/verify instead of tokens. Ten wrong
   * passwords or codes in a row lock the account for 15 minutes, during which the right one is refused like a wrong
   * one; after five, each further attempt waits for up to two seconds. Needs no token.
   */
  login: {
    method: 'POST';
    path: '/v1/auth/login';
    body: LoginBody;
    data: LoginAnswer;
    errors: CommonErrorCode | 'invalid_credentials' | 'payload_too_large' | 'unsupported_media_type';
  };

  /**
   * Exchange a refresh token. The refresh token is used up by this. For 10 seconds it gets the identical answer again,
   * should the first be lost; used later than that, it ends the whole login. Needs no token.
   */
  refresh: {
    method: 'POST';
    path: '/v1/auth/refresh';
    body: RefreshBody;
    data: SessionTokens;
    errors: CommonErrorCode | 'invalid_token' | 'payload_too_large' | 'unsupported_media_type';
  };

  /**
   * Log out. Ends the access token of the request, its refresh token, and all others of the same login at once. Any
   * scope, role `member` or higher, session token only.
   */
  logout: {
    method: 'POST';
    path: '/v1/auth/logout';
    data: LoggedOut;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Get the user of the token. With the organization that the request acts in, and the role in it. Scope
   * `read:profile`, role `member` or higher.
   */
  getCurrentUser: {
    method: 'GET';
    path: '/v1/auth/me';
    data: User;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Get the user of the token. With the organization that the request acts in, and the role in it. Scope
   * `read:profile`, role `member` or higher.
   */
  getMe: {
    method: 'GET';
    path: '/v1/me';
    data: User;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Change the own profile or password. What is left out stays. A new password needs the present one beside it, and
   * ends all other logins and all connected apps at once; API tokens go on. A wrong present password counts like a
   * failed login. Scope `write:profile`, role `member` or higher, session token only.
   */
  updateMe: {
    method: 'PATCH';
    path: '/v1/me';
    body: UpdateMeBody;
    data: User;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'invalid_credentials'
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * Delete your account. This cannot be undone. All your tokens are revoked immediately, and your e-mail address can
   * register again. You leave all your organizations; any organization with no other members is deleted. If you are the
   * last admin of an organization with other members or a live subscription, you get `conflict`. A wrong password or
   * code counts as a failed login. The rest of your personal data is erased within 24 hours. Invoices are kept, as
   * required by law. Scope `write:profile`, role `member` or higher, session token only.
   */
  deleteMe: {
    method: 'DELETE';
    path: '/v1/me';
    body: DeleteMeBody;
    data: undefined;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'invalid_credentials'
      | 'forbidden'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Set two-factor up. Makes a TOTP secret (SHA-1, 6 digits, 30 seconds). Nothing changes until it is enabled; asked
   * again before that, it makes another secret. Scope `write:profile`, role `member` or higher, session token only.
   */
  setUpTwoFactor: {
    method: 'POST';
    path: '/v1/auth/2fa/setup';
    data: TwoFactorSetup;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Turn two-factor on. Proves with a code that the app has the secret, and answers ten recovery codes, this once.
   * Scope `write:profile`, role `member` or higher, session token only.
   */
  enableTwoFactor: {
    method: 'POST';
    path: '/v1/auth/2fa/enable';
    body: EnableTwoFactorBody;
    data: RecoveryCodes;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'invalid_credentials'
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Turn two-factor off. Takes the password and a code or recovery code. Open challenges and the recovery codes are
   * void. Scope `write:profile`, role `member` or higher, session token only.
   */
  disableTwoFactor: {
    method: 'POST';
    path: '/v1/auth/2fa/disable';
    body: DisableTwoFactorBody;
    data: TwoFactorDisabled;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'invalid_credentials'
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Renew the recovery codes. Takes the password and a code or recovery code, and answers ten new ones, this once. The
   * old are void. Scope `write:profile`, role `member` or higher, session token only.
   */
  renewRecoveryCodes: {
    method: 'POST';
    path: '/v1/auth/2fa/recovery-codes';
    body: RenewRecoveryCodesBody;
    data: RecoveryCodes;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'invalid_credentials'
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Complete a login by the second factor. A challenge lives 5 minutes and 5 attempts, and a code works once. A
   * recovery code is accepted in its place. Needs no token.
   */
  verifyTwoFactor: {
    method: 'POST';
    path: '/v1/auth/2fa/verify';
    body: VerifyTwoFactorBody;
    data: LoginResult;
    errors:
      | CommonErrorCode
      | 'invalid_credentials'
      | 'invalid_token'
      | 'token_expired'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Export your account data. Everything that is kept about you, without secrets and without other people's data.
   * Sections come in pages of 2,000 items: pass `cursor` until `next_cursor` is null. A section that is complete is
   * left out of the next page. Scope `read:profile`, role `member` or higher, session token only.
   */
  exportMe: {
    method: 'GET';
    path: '/v1/me/export';
    query: {
      cursor?: string;
    };
    data: AccountExport;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Ask for a password reset. Mails a token for POST /v1/auth/password/reset to the address, if there is an account
   * with it. The answer is the same in either case. Needs no token.
   */
  forgotPassword: {
    method: 'POST';
    path: '/v1/auth/password/forgot';
    body: ForgotPasswordBody;
    data: ResetAccepted;
    errors: CommonErrorCode | 'payload_too_large' | 'unsupported_media_type';
  };

  /**
   * Set a new password with a mailed token. The token lives an hour and works once. All logins and connected apps of
   * the user end, a lock is lifted, and the e-mail address counts as verified. Where it was not verified before, the
   * user's API tokens are revoked and the apps that they registered are deleted: somebody else may have registered with
   * the address. Two-factor stays on. Needs no token.
   */
  resetPassword: {
    method: 'POST';
    path: '/v1/auth/password/reset';
    body: ResetPasswordBody;
    data: PasswordChanged;
    errors:
      | CommonErrorCode
      | 'invalid_token'
      | 'token_expired'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'validation_failed';
  };

  /**
   * Verify an e-mail address. Takes the token that was mailed to the address. It lives seven days and works once. Needs
   * no token.
   */
  verifyEmail: {
    method: 'POST';
    path: '/v1/auth/email/verify';
    body: VerifyEmailBody;
    data: EmailVerified;
    errors:
      | CommonErrorCode
      | 'invalid_token'
      | 'token_expired'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Send the verification mail again. At most five are sent within an hour. Scope `write:profile`, role `member` or
   * higher, session token only.
   */
  sendEmailVerification: {
    method: 'POST';
    path: '/v1/auth/email/verification';
    data: VerificationSent;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * List the own logins. Those that live, from wherever they were opened, the one that asks included; those of browsers
   * at the authorization server, too. Scope `write:profile`, role `member` or higher, session token only.
   */
  listSessions: {
    method: 'GET';
    path: '/v1/auth/sessions';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: OwnLogin[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * End a login. Its access and refresh tokens are dead at their next request. It may be the login that asks. A browser
   * has to log in again; what apps may do goes on. Scope `write:profile`, role `member` or higher, session token only.
   */
  deleteSession: {
    method: 'DELETE';
    path: '/v1/auth/sessions/{id}';
    params: {
      id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Create an API token. A long-lived token for servers, the command line and CI. It acts in the organization of the
   * request, with the scopes given and never more than the present role of its owner allows. Its owner is mailed 7 days
   * and 1 day before it expires, and when it is 90 days old and should be rotated. Scope `write:profile`, role `member`
   * or higher, session token only.
   */
  createApiToken: {
    method: 'POST';
    path: '/v1/api-tokens';
    body: CreateApiTokenBody;
    data: CreatedApiToken;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * List API tokens. Those that the user made in this organization, expired ones included; never the secrets. Scope
   * `write:profile`, role `member` or higher, session token only.
   */
  listApiTokens: {
    method: 'GET';
    path: '/v1/api-tokens';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Only items with this status. */
      status?: 'active' | 'expired';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: ApiToken[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Get an API token. One that the user made in this organization; never the secret. Scope `write:profile`, role
   * `member` or higher, session token only.
   */
  getApiToken: {
    method: 'GET';
    path: '/v1/api-tokens/{id}';
    params: {
      id: string;
    };
    data: ApiToken;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Revoke an API token. The token is dead at its next request. Scope `write:profile`, role `member` or higher, session
   * token only.
   */
  deleteApiToken: {
    method: 'DELETE';
    path: '/v1/api-tokens/{id}';
    params: {
      id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Rotate an API token. Answers a new token of the same name and scopes that takes the place of this one, which works
   * on until the overlap is over. A token can be rotated once. Scope `write:profile`, role `member` or higher, session
   * token only.
   */
  rotateApiToken: {
    method: 'POST';
    path: '/v1/api-tokens/{id}/rotate';
    params: {
      id: string;
    };
    body: RotateApiTokenBody;
    data: CreatedApiToken;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * Register an OAuth app. An app that acts for users who agree to it. The organization owns it: its admins see and
   * change every app, others those that they made. At most 100 apps an organization. Scope `write:profile`, role
   * `member` or higher, session token only.
   */
  createOauthApp: {
    method: 'POST';
    path: '/v1/oauth-apps';
    body: CreateOauthAppBody;
    data: OauthAppWithSecret;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * List OAuth apps. An admin sees all of the organization's, others those that they made; never a secret. Scope
   * `write:profile`, role `member` or higher, session token only.
   */
  listOauthApps: {
    method: 'GET';
    path: '/v1/oauth-apps';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Only items with this confidential. */
      confidential?: boolean;
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: OauthApp[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** Get an OAuth app. Scope `write:profile`, role `member` or higher, session token only. */
  getOauthApp: {
    method: 'GET';
    path: '/v1/oauth-apps/{id}';
    params: {
      id: string;
    };
    data: OauthApp;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Change an OAuth app. What is left out stays. Scopes that the app loses are left out of every token made from now
   * on; those that it gains wait for its users to agree. Scope `write:profile`, role `member` or higher, session token
   * only.
   */
  updateOauthApp: {
    method: 'PATCH';
    path: '/v1/oauth-apps/{id}';
    params: {
      id: string;
    };
    body: UpdateOauthAppBody;
    data: OauthApp;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * Delete an OAuth app. Ends all that its users let it do: its tokens are dead at their next request. Scope
   * `write:profile`, role `member` or higher, session token only.
   */
  deleteOauthApp: {
    method: 'DELETE';
    path: '/v1/oauth-apps/{id}';
    params: {
      id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Rotate the client secret. The secret before the new one lives on for the overlap, so that the app can change over
   * without an outage; any older one ends at once. A public app has no secret. Scope `write:profile`, role `member` or
   * higher, session token only.
   */
  rotateOauthAppSecret: {
    method: 'POST';
    path: '/v1/oauth-apps/{id}/rotate-secret';
    params: {
      id: string;
    };
    body: RotateOauthAppSecretBody;
    data: OauthAppWithSecret;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * List what apps may do for you. The apps that the user agreed to, in all organizations, with what each may do. Scope
   * `write:profile`, role `member` or higher, session token only.
   */
  listOauthGrants: {
    method: 'GET';
    path: '/v1/auth/grants';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: OauthGrant[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * End what an app may do for you. All tokens that the app holds for the user in that organization are dead at their
   * next request. Scope `write:profile`, role `member` or higher, session token only.
   */
  deleteOauthGrant: {
    method: 'DELETE';
    path: '/v1/auth/grants/{id}';
    params: {
      id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * List organizations. With a session token all that the user is a member of, with another token its own. Scope
   * `read:org`, role `member` or higher.
   */
  listOrganizations: {
    method: 'GET';
    path: '/v1/orgs';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Only items with this role. */
      role?: 'member' | 'billing' | 'admin';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: Organization[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Create an organization. The caller becomes its admin. A slug that is not given is made from the name. Any scope,
   * role `member` or higher, session token only.
   */
  createOrganization: {
    method: 'POST';
    path: '/v1/orgs';
    body: CreateOrganizationBody;
    data: Organization;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'already_exists'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /** Read an organization. Scope `read:org`, role `member` or higher. */
  getOrganization: {
    method: 'GET';
    path: '/v1/orgs/{organization_id}';
    params: {
      organization_id: string;
    };
    data: Organization;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** Change an organization. Scope `admin:org`, role `admin` or higher. */
  updateOrganization: {
    method: 'PATCH';
    path: '/v1/orgs/{organization_id}';
    params: {
      organization_id: string;
    };
    body: UpdateOrganizationBody;
    data: Organization;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'already_exists'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Delete an organization. For good, and for all its members, from their next request on: its API tokens, apps and
   * invitations end, and nobody can use its licenses. The body repeats its name. Scope `admin:org`, role `admin` or
   * higher.
   */
  deleteOrganization: {
    method: 'DELETE';
    path: '/v1/orgs/{organization_id}';
    params: {
      organization_id: string;
    };
    body: DeleteOrganizationBody;
    data: undefined;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'validation_failed';
  };

  /** List members. Scope `read:org`, role `member` or higher. */
  listMembers: {
    method: 'GET';
    path: '/v1/orgs/{organization_id}/members';
    params: {
      organization_id: string;
    };
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Only items with this role. */
      role?: 'member' | 'billing' | 'admin';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: Member[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Change a member's role. The role counts from the next request on, API tokens of the member included. The open
   * invitations of whoever is an admin no more are revoked. The last admin cannot be demoted. Scope `admin:org`, role
   * `admin` or higher.
   */
  changeMemberRole: {
    method: 'PATCH';
    path: '/v1/orgs/{organization_id}/members/{user_id}';
    params: {
      organization_id: string;
      user_id: string;
    };
    body: ChangeMemberRoleBody;
    data: Member;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Remove a member, or leave. Their logins and tokens cannot reach the organization from the next request on, and
   * their open invitations are revoked. The last admin cannot be removed and cannot leave. Scope `admin:org`, role
   * `admin` or higher. Of oneself: a session token is enough.
   */
  removeMember: {
    method: 'DELETE';
    path: '/v1/orgs/{organization_id}/members/{user_id}';
    params: {
      organization_id: string;
      user_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden' | 'conflict';
  };

  /**
   * Invite somebody. Mails a code to the address, good for 7 days. At most 100 invitations of an organization may be
   * open; a user sends at most 100 a day and an address gets at most 20 a day, over all organizations and whether they
   * were revoked or not. Scope `admin:org`, role `admin` or higher.
   */
  createInvitation: {
    method: 'POST';
    path: '/v1/orgs/{organization_id}/invitations';
    params: {
      organization_id: string;
    };
    body: CreateInvitationBody;
    data: Invitation;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'already_exists'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /** List invitations. However they stand, and never their tokens. Scope `admin:org`, role `admin` or higher. */
  listInvitations: {
    method: 'GET';
    path: '/v1/orgs/{organization_id}/invitations';
    params: {
      organization_id: string;
    };
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name' | 'email' | '-email';
      /** Only items with this status. */
      status?: 'pending' | 'accepted' | 'expired' | 'revoked';
      /** Only items with this role. */
      role?: 'member' | 'billing' | 'admin';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: Invitation[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Revoke an invitation. Only one that is pending; of one that was accepted, remove the member. Scope `admin:org`,
   * role `admin` or higher.
   */
  revokeInvitation: {
    method: 'DELETE';
    path: '/v1/orgs/{organization_id}/invitations/{invitation_id}';
    params: {
      organization_id: string;
      invitation_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden' | 'conflict';
  };

  /**
   * Accept an invitation. Makes the caller a member. Only a user with the address that was invited can; it counts as
   * verified then. Any scope, role `member` or higher, session token only.
   */
  acceptInvitation: {
    method: 'POST';
    path: '/v1/invitations/accept';
    body: AcceptInvitationBody;
    data: Organization;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Read the audit log. Who did what in the organization, from where and with what. Nothing changes or removes an
   * entry. Scope `admin:org`, role `admin` or higher.
   */
  listAuditLog: {
    method: 'GET';
    path: '/v1/audit-log';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Only items with this action. */
      action?: string;
      /** Only items with this actor_user_id. */
      actor_user_id?: string;
      /** Only items with this target_id. */
      target_id?: string;
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: AuditLogEntry[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** List projects. Scope `read:projects`, role `member` or higher. */
  listProjects: {
    method: 'GET';
    path: '/v1/projects';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name' | 'updated_at' | '-updated_at';
      /** Only items with this status. */
      status?: 'active' | 'archived';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: Project[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Create a project. A slug that is not given is made from the name. Scope `write:projects`, role `member` or higher.
   */
  createProject: {
    method: 'POST';
    path: '/v1/projects';
    body: CreateProjectBody;
    data: Project;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'already_exists'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /** Read a project. Scope `read:projects`, role `member` or higher. */
  getProject: {
    method: 'GET';
    path: '/v1/projects/{project_id}';
    params: {
      project_id: string;
    };
    data: Project;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Change, archive or revive a project. No seat can be acquired for an archived project; the sessions that it has go
   * on. Scope `write:projects`, role `member` or higher.
   */
  updateProject: {
    method: 'PATCH';
    path: '/v1/projects/{project_id}';
    params: {
      project_id: string;
    };
    body: UpdateProjectBody;
    data: Project;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'already_exists'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Delete a project. Its sessions go on and keep what their metadata names; its usage can no longer be read. Scope
   * `write:projects`, role `member` or higher.
   */
  deleteProject: {
    method: 'DELETE';
    path: '/v1/projects/{project_id}';
    params: {
      project_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * List plans. Those on sale, the cheapest first. A plan that is sold by contact has no price and stands after all
   * others, or before them with `sort=-price`. No token is needed. Needs no token.
   */
  listPlans: {
    method: 'GET';
    path: '/v1/plans';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'price' | '-price' | 'name' | '-name';
      /** Only items with this interval. */
      interval?: 'month';
      /** Only items with this currency. */
      currency?: string;
    };
    data: Plan[];
    isList: true;
    errors: CommonErrorCode;
  };

  /**
   * Get a plan. A plan, also one that is no longer on sale: subscriptions to it live on. No token is needed. Needs no
   * token.
   */
  getPlan: {
    method: 'GET';
    path: '/v1/plans/{plan_id}';
    params: {
      plan_id: string;
    };
    data: Plan;
    errors: CommonErrorCode | 'not_found';
  };

  /** List subscriptions. Scope `read:org`, role `billing` or higher. */
  listSubscriptions: {
    method: 'GET';
    path: '/v1/subscriptions';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'current_period_end' | '-current_period_end';
      /** Only items with this status. */
      status?: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
      /** Only items with this plan_id. */
      plan_id?: string;
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: Subscription[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Subscribe to a plan. Charges the first period. Paid: `active`, with a license of that many seats. Where the
   * customer must authenticate the payment, it is `incomplete` until they have, for 23 hours at most. Declined:
   * `payment_failed`, and nothing is created. Scope `admin:org`, role `billing` or higher.
   */
  createSubscription: {
    method: 'POST';
    path: '/v1/subscriptions';
    body: CreateSubscriptionBody;
    data: CreatedSubscription;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'payment_failed'
      | 'validation_failed';
  };

  /** Read a subscription. Scope `read:org`, role `billing` or higher. */
  getSubscription: {
    method: 'GET';
    path: '/v1/subscriptions/{subscription_id}';
    params: {
      subscription_id: string;
    };
    data: Subscription;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Change seats or plan. More is prorated to the second, charged at once, and takes effect when it is paid; where the
   * customer must authenticate, the change waits in `pending_change`. Less takes effect at once and becomes credit for
   * the next invoices. Scope `admin:org`, role `billing` or higher.
   */
  updateSubscription: {
    method: 'PATCH';
    path: '/v1/subscriptions/{subscription_id}';
    params: {
      subscription_id: string;
    };
    body: UpdateSubscriptionBody;
    data: ChangedSubscription;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'payment_failed'
      | 'validation_failed';
  };

  /**
   * See what a change would cost. Prorated to the second for the rest of the period, worked out as the change itself
   * is. Nothing is written or charged. Scope `read:org`, role `billing` or higher.
   */
  previewSubscription: {
    method: 'GET';
    path: '/v1/subscriptions/{subscription_id}/preview';
    params: {
      subscription_id: string;
    };
    query: {
      /** The number of seats. */
      quantity?: number;
      plan_id?: string;
    };
    data: ChangePreview;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden' | 'conflict' | 'validation_failed';
  };

  /**
   * Cancel a subscription. At the end of the period, or now without a refund. One that is incomplete or past due ends
   * now either way, and its open invoice is void. Scope `admin:org`, role `billing` or higher.
   */
  cancelSubscription: {
    method: 'POST';
    path: '/v1/subscriptions/{subscription_id}/cancel';
    params: {
      subscription_id: string;
    };
    body: CancelSubscriptionBody;
    data: Subscription;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /** Take a cancellation back. Until the period is over. Scope `admin:org`, role `billing` or higher. */
  resumeSubscription: {
    method: 'POST';
    path: '/v1/subscriptions/{subscription_id}/resume';
    params: {
      subscription_id: string;
    };
    data: Subscription;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * List payment methods. Those that are attached; never a whole card number, which this service does not know. Scope
   * `read:org`, role `billing` or higher.
   */
  listPaymentMethods: {
    method: 'GET';
    path: '/v1/payment-methods';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at';
      /** Only items with this type. */
      type?: 'card';
      /** Only items with this is_default. */
      is_default?: boolean;
    };
    data: PaymentMethod[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Attach a payment method. Takes what the payment provider made of the card in the browser; a card number never comes
   * here. The first is the default. A new default is tried at once with what is past due. One that is attached already
   * is answered as it is. Scope `admin:org`, role `billing` or higher.
   */
  attachPaymentMethod: {
    method: 'POST';
    path: '/v1/payment-methods';
    body: AttachPaymentMethodBody;
    data: PaymentMethod;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payment_failed';
  };

  /**
   * Delete a payment method. When it was the default, the newest other is from now on. The only one cannot be deleted
   * while a subscription is live, and none while a payment by it has no outcome yet. It cannot be attached again. Scope
   * `admin:org`, role `billing` or higher.
   */
  deletePaymentMethod: {
    method: 'DELETE';
    path: '/v1/payment-methods/{payment_method_id}';
    params: {
      payment_method_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden' | 'conflict' | 'payment_method_in_use';
  };

  /**
   * List invoices. Sorted by `number`, they come in the order in which they were made out. Scope `read:org`, role
   * `billing` or higher.
   */
  listInvoices: {
    method: 'GET';
    path: '/v1/invoices';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'number' | '-number' | 'amount_due' | '-amount_due';
      /** Only items with this status. */
      status?: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
      /** Only items with this subscription_id. */
      subscription_id?: string;
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: Invoice[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** Get an invoice. Scope `read:org`, role `billing` or higher. */
  getInvoice: {
    method: 'GET';
    path: '/v1/invoices/{invoice_id}';
    params: {
      invoice_id: string;
    };
    data: Invoice;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Get an invoice as a PDF. Not an envelope but the file. Once the invoice is paid, void or uncollectible it is the
   * same byte for byte, whose SHA-256 is the ETag; while it is open, the PDF says so and is not kept. With that ETag in
   * If-None-Match the answer is 304, without a body. Scope `read:org`, role `billing` or higher.
   */
  getInvoicePdf: {
    method: 'GET';
    path: '/v1/invoices/{invoice_id}/pdf';
    params: {
      invoice_id: string;
    };
    contentType: 'application/pdf';
    data: ArrayBuffer;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Pay an open invoice now. With the default payment method, and with the customer there to authenticate: so a renewal
   * is paid whose bank asked for that. Answers its subscription, as creating one does. Scope `admin:org`, role
   * `billing` or higher.
   */
  payInvoice: {
    method: 'POST';
    path: '/v1/invoices/{invoice_id}/pay';
    params: {
      invoice_id: string;
    };
    data: CreatedSubscription;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'payment_failed'
      | 'validation_failed';
  };

  /**
   * List payments of all organizations. Attempts to collect money, newest first. With `status=orphaned`: payments that
   * the provider collected and that match no record, for example after a restored backup. They stay in the list until
   * they are resolved. Scope `operator`: an operator token, and no other.
   */
  listOperatorPayments: {
    method: 'GET';
    path: '/v1/operator/payments';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at';
      /** Only items with this organization_id. */
      organization_id?: string;
      /** Only items with this status. */
      status?:
        | 'pending'
        | 'requires_action'
        | 'processing'
        | 'succeeded'
        | 'declined'
        | 'canceled'
        | 'orphaned';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: OperatorPayment[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /** List licenses. Scope `read:licenses`, role `member` or higher. */
  listLicenses: {
    method: 'GET';
    path: '/v1/licenses';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'expires_at' | '-expires_at' | 'product' | '-product';
      /** Only items with this status. */
      status?: 'active' | 'suspended' | 'expired' | 'revoked';
      /** Only items with this product. */
      product?: string;
      /** Only items before this time, exclusive. */
      expires_before?: string;
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: License[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** Read a license with its active sessions. Scope `read:licenses`, role `member` or higher. */
  getLicense: {
    method: 'GET';
    path: '/v1/licenses/{license_id}';
    params: {
      license_id: string;
    };
    data: LicenseDetail;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** List the sessions of a license, ended ones included. Scope `read:licenses`, role `member` or higher. */
  listLicenseSessions: {
    method: 'GET';
    path: '/v1/licenses/{license_id}/sessions';
    params: {
      license_id: string;
    };
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'started_at' | '-started_at' | 'last_heartbeat' | '-last_heartbeat';
      /** Only items with this status. */
      status?: 'active' | 'released' | 'timed_out';
      /** Only items with this user_id. */
      user_id?: string;
      /** Only items with this hardware_id. */
      hardware_id?: string;
      /** Only items with this project_id. */
      project_id?: string;
      /** Only items after this time, exclusive. */
      started_after?: string;
    };
    data: LicenseSessionRecord[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Take a seat. Answers 201 with a new session, or 200 with the session that this user holds on this machine already.
   * Check the license_token offline with the public key. Scope `manage:licenses`, role `member` or higher.
   */
  acquireSeat: {
    method: 'POST';
    path: '/v1/licenses/acquire';
    body: AcquireSeatBody;
    data: AcquiredSeat;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'license_expired'
      | 'license_suspended'
      | 'license_revoked'
      | 'idempotency_in_progress'
      | 'no_seats_available'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'invalid_hardware_id'
      | 'validation_failed';
  };

  /**
   * Keep a session alive. Send one within every heartbeat interval. A fresh license_token comes when less than half of
   * the last one is left. Requests count for each session, not against the user's limits. Scope `manage:licenses`, role
   * `member` or higher.
   */
  heartbeatSeat: {
    method: 'POST';
    path: '/v1/licenses/heartbeat';
    body: HeartbeatSeatBody;
    data: Heartbeat;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'license_expired'
      | 'license_suspended'
      | 'license_revoked'
      | 'idempotency_in_progress'
      | 'session_timeout'
      | 'session_released'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Give a seat back. Releasing a released session again answers the first release. Admins may release anyone’s.
   * Requests count for each session, not against the user's limits. Scope `manage:licenses`, role `member` or higher.
   */
  releaseSeat: {
    method: 'POST';
    path: '/v1/licenses/release';
    body: ReleaseSeatBody;
    data: ReleasedSeat;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'session_timeout'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /** Read the public key that checks license tokens. Scope `read:licenses`, role `member` or higher. */
  getLicensePublicKey: {
    method: 'GET';
    path: '/v1/licenses/public-key';
    data: LicensePublicKey;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** Read every key that license tokens in the field are signed with. Needs no token. */
  getKeySet: {
    method: 'GET';
    path: '/.well-known/jwks.json';
    contentType: 'application/jwk-set+json';
    data: JsonWebKeySet;
    errors: CommonErrorCode;
  };

  /**
   * Read what a project uses. Counted from the sessions that named the project as metadata.project_id when they were
   * acquired. Scope `read:projects`, role `member` or higher.
   */
  getProjectUsage: {
    method: 'GET';
    path: '/v1/projects/{project_id}/usage';
    params: {
      project_id: string;
    };
    data: ProjectUsage;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Read the usage summary. What the organization uses in the present period, and what its subscriptions include. The
   * peak is exact: the most seats of all licenses at one moment, not a sample. Scope `read:org`, role `billing` or
   * higher.
   */
  getUsage: {
    method: 'GET';
    path: '/v1/usage';
    data: UsageSummary;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Record what an organization used. Counted at once in the summary of the period that `at` lies in. A `sum` adds the
   * records of a period up, a `max` is the largest of them, a `last` is the newest one before the period's end, also
   * from before the period. A record cannot be taken back or be negative. The same `idempotency_key` again answers the
   * first record with 200; another value or time under it is refused. Scope `operator`: an operator token, and no
   * other.
   */
  recordUsage: {
    method: 'POST';
    path: '/v1/operator/usage';
    body: RecordUsageBody;
    data: UsageRecord;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'idempotency_in_progress'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * Make a payment method of a test card number. Answers the id to pass on as `payment_method_id`. Only the numbers of
   * test cards are taken, and no number is kept. In production it is not_found. Scope `admin:org`, role `admin` or
   * higher.
   */
  makeSandboxPaymentMethod: {
    method: 'POST';
    path: '/v1/sandbox/payment-methods';
    body: MakeSandboxPaymentMethodBody;
    data: SandboxPaymentMethod;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * Play the customer who authenticates a payment. Takes the `client_secret` of a payment that requires action. When it
   * answers, what follows from the outcome has happened: a subscription is active. In production it is not_found. Scope
   * `admin:org`, role `admin` or higher.
   */
  confirmSandboxPayment: {
    method: 'POST';
    path: '/v1/sandbox/payments/confirm';
    body: ConfirmSandboxPaymentBody;
    data: SandboxPayment;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Read the organization's clock. What time it is for this organization. In the sandbox only; production answers
   * not_found. Scope `admin:org`, role `admin` or higher.
   */
  getSandboxClock: {
    method: 'GET';
    path: '/v1/sandbox/clock';
    data: SandboxClock;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Move the organization's clock forward. Moves the clock of this organization, and of no other, forward and does
   * everything that falls due on the way, in order: renewals, dunning, expiries of licenses, seat timeouts, webhook
   * retries. It answers when all is done, which takes a while where much happens or a webhook receiver is slow. After
   * four minutes, and when the server stops, it answers service_unavailable and the clock stands where it is: repeated
   * under the same Idempotency-Key, it goes on from there. One at a time: while it runs, another one is refused with
   * conflict. Tokens, codes, rate limits and idempotency stay on real time. In the sandbox only; production answers
   * not_found. Scope `admin:org`, role `admin` or higher.
   */
  advanceSandboxClock: {
    method: 'POST';
    path: '/v1/sandbox/clock/advance';
    body: AdvanceSandboxClockBody;
    data: SandboxClockAdvanced;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /** List events. Scope `read:org`, role `admin` or higher. */
  listEvents: {
    method: 'GET';
    path: '/v1/events';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created' | '-created';
      /** Only items with this type. */
      type?:
        | 'org.member.invited'
        | 'org.member.joined'
        | 'org.member.removed'
        | 'org.member.role_changed'
        | 'license.seat.acquired'
        | 'license.seat.released'
        | 'license.seat.timeout'
        | 'license.seats.exhausted'
        | 'license.created'
        | 'license.updated'
        | 'license.suspended'
        | 'license.reinstated'
        | 'license.revoked'
        | 'license.expiring'
        | 'license.expired'
        | 'subscription.created'
        | 'subscription.updated'
        | 'subscription.canceled'
        | 'subscription.expired'
        | 'invoice.created'
        | 'invoice.paid'
        | 'invoice.payment_failed'
        | 'payment.credited'
        | 'payment_method.attached'
        | 'payment_method.removed';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: Event[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** Read an event. Scope `read:org`, role `admin` or higher. */
  getEvent: {
    method: 'GET';
    path: '/v1/events/{event_id}';
    params: {
      event_id: string;
    };
    data: Event;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** List the types of events, with schema and example. Any scope, role `member` or higher. */
  listEventTypes: {
    method: 'GET';
    path: '/v1/event-types';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'type' | '-type';
    };
    data: EventType[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Create a webhook endpoint. It gets the events that are created after it. An organization has 50 endpoints at most.
   * The answer is the only one that holds the secret. Scope `admin:org`, role `admin` or higher.
   */
  createWebhook: {
    method: 'POST';
    path: '/v1/webhooks';
    body: CreateWebhookBody;
    data: CreatedWebhookEndpoint;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * List webhook endpoints. The filter `event` finds those that get events of a type, by a group or `*` as well. Scope
   * `read:org`, role `admin` or higher.
   */
  listWebhooks: {
    method: 'GET';
    path: '/v1/webhooks';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at';
      /** Only items with this status. */
      status?: 'active' | 'paused' | 'disabled';
      /** Only items with this event. */
      event?:
        | 'org.member.invited'
        | 'org.member.joined'
        | 'org.member.removed'
        | 'org.member.role_changed'
        | 'license.seat.acquired'
        | 'license.seat.released'
        | 'license.seat.timeout'
        | 'license.seats.exhausted'
        | 'license.created'
        | 'license.updated'
        | 'license.suspended'
        | 'license.reinstated'
        | 'license.revoked'
        | 'license.expiring'
        | 'license.expired'
        | 'subscription.created'
        | 'subscription.updated'
        | 'subscription.canceled'
        | 'subscription.expired'
        | 'invoice.created'
        | 'invoice.paid'
        | 'invoice.payment_failed'
        | 'payment.credited'
        | 'payment_method.attached'
        | 'payment_method.removed';
    };
    data: WebhookEndpoint[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Read a webhook endpoint. With what its last attempts came to; never the secret. Scope `read:org`, role `admin` or
   * higher.
   */
  getWebhook: {
    method: 'GET';
    path: '/v1/webhooks/{webhook_id}';
    params: {
      webhook_id: string;
    };
    data: WebhookEndpointDetail;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Change, pause or enable a webhook endpoint. What waits goes to the new URL. While an endpoint is paused or disabled
   * its events are held; after `{"status": "active"}` they can be replayed. Scope `admin:org`, role `admin` or higher.
   */
  updateWebhook: {
    method: 'PATCH';
    path: '/v1/webhooks/{webhook_id}';
    params: {
      webhook_id: string;
    };
    body: UpdateWebhookBody;
    data: WebhookEndpoint;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * Delete a webhook endpoint. What waits is sent no more, and the history of its deliveries goes with it. Scope
   * `admin:org`, role `admin` or higher.
   */
  deleteWebhook: {
    method: 'DELETE';
    path: '/v1/webhooks/{webhook_id}';
    params: {
      webhook_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Rotate the signing secret. Until the overlap is over both secrets sign: the header has one v1 for each, the newest
   * first. At most three sign at a time; the oldest ends at once. Scope `admin:org`, role `admin` or higher.
   */
  rotateWebhookSecret: {
    method: 'POST';
    path: '/v1/webhooks/{webhook_id}/rotate-secret';
    params: {
      webhook_id: string;
    };
    body: RotateWebhookSecretBody;
    data: RotatedWebhookEndpoint;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Send a test event. Sends the example of a type to this endpoint alone, at once, also while it is paused or
   * disabled. Its outcome is told by the delivery; where it fails it keeps to the schedule like any other. Scope
   * `admin:org`, role `admin` or higher.
   */
  testWebhook: {
    method: 'POST';
    path: '/v1/webhooks/{webhook_id}/test';
    params: {
      webhook_id: string;
    };
    body: TestWebhookBody;
    data: WebhookDelivery;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * List an endpoint's deliveries. One for each event that the endpoint subscribed to, whatever became of it. Scope
   * `read:org`, role `admin` or higher.
   */
  listWebhookDeliveries: {
    method: 'GET';
    path: '/v1/webhooks/{webhook_id}/deliveries';
    params: {
      webhook_id: string;
    };
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at';
      /** Only items with this status. */
      status?: 'pending' | 'succeeded' | 'failed' | 'held';
      /** Only items with this event_type. */
      event_type?:
        | 'org.member.invited'
        | 'org.member.joined'
        | 'org.member.removed'
        | 'org.member.role_changed'
        | 'license.seat.acquired'
        | 'license.seat.released'
        | 'license.seat.timeout'
        | 'license.seats.exhausted'
        | 'license.created'
        | 'license.updated'
        | 'license.suspended'
        | 'license.reinstated'
        | 'license.revoked'
        | 'license.expiring'
        | 'license.expired'
        | 'subscription.created'
        | 'subscription.updated'
        | 'subscription.canceled'
        | 'subscription.expired'
        | 'invoice.created'
        | 'invoice.paid'
        | 'invoice.payment_failed'
        | 'payment.credited'
        | 'payment_method.attached'
        | 'payment_method.removed';
      /** Only items with this event_id. */
      event_id?: string;
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: WebhookDelivery[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** Read a delivery with its attempts. Scope `read:org`, role `admin` or higher. */
  getWebhookDelivery: {
    method: 'GET';
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}';
    params: {
      webhook_id: string;
      delivery_id: string;
    };
    data: WebhookDeliveryDetail;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /**
   * Attempt a delivery once more. Makes one more attempt now, whatever the status of the delivery, and also while the
   * endpoint is paused or disabled. When it succeeds, the delivery has succeeded; when it fails, the schedule goes on
   * as it was. Each call makes one attempt; at most 10 of one delivery may wait to begin, and at most 1,000 of an
   * endpoint, test events included. Scope `admin:org`, role `admin` or higher.
   */
  retryWebhookDelivery: {
    method: 'POST';
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry';
    params: {
      webhook_id: string;
      delivery_id: string;
    };
    data: WebhookDelivery;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Send an endpoint's deliveries of some time again. Takes up the deliveries of events created from since to until,
   * the oldest first, at most 50 ahead of the endpoint, each with the whole schedule before it; what happens meanwhile
   * goes first. While three or more attempts in a row have failed, it takes up one at a time, the next when the one
   * before has failed twice, and keeps its pace again after the first success. An attempt of it that is under way when
   * the endpoint is paused, and fails, leaves its delivery held; a later replay takes that. Deliveries of test events
   * are never taken. One replay of an endpoint runs at a time, and the endpoint must be active. A dry run only counts.
   * At most 20 an hour are asked for, dry runs included. Scope `admin:org`, role `admin` or higher.
   */
  replayWebhook: {
    method: 'POST';
    path: '/v1/webhooks/{webhook_id}/replay';
    params: {
      webhook_id: string;
    };
    body: ReplayWebhookBody;
    data: WebhookReplay;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * Cancel a replay. It takes up nothing more; the deliveries that it took up go on, at most 50 of which wait. Scope
   * `admin:org`, role `admin` or higher.
   */
  cancelWebhookReplay: {
    method: 'POST';
    path: '/v1/webhooks/{webhook_id}/replays/{replay_id}/cancel';
    params: {
      webhook_id: string;
      replay_id: string;
    };
    data: WebhookReplay;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'forbidden'
      | 'idempotency_in_progress'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /** List an endpoint's replays. Scope `read:org`, role `admin` or higher. */
  listWebhookReplays: {
    method: 'GET';
    path: '/v1/webhooks/{webhook_id}/replays';
    params: {
      webhook_id: string;
    };
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at';
      /** Only items with this status. */
      status?: 'running' | 'completed' | 'canceled';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: WebhookReplay[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };

  /** Read how far a replay has come. Scope `read:org`, role `admin` or higher. */
  getWebhookReplay: {
    method: 'GET';
    path: '/v1/webhooks/{webhook_id}/replays/{replay_id}';
    params: {
      webhook_id: string;
      replay_id: string;
    };
    data: WebhookReplay;
    errors: CommonErrorCode | TokenErrorCode | 'forbidden';
  };
}
