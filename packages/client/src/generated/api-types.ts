// Made by tools/generate.ts from openapi.json; never edited.

export interface AcceptInvitationBody {
  /** The code from the email. */
  token: string;
}

export interface AccountExport {
  user?: Record<string, unknown>;
  /** Your organizations, with your role and when you joined. */
  organizations?: Array<Record<string, unknown>>;
  /** Events about your invitations, and about when you joined, left, and changed roles. */
  membership_events?: Array<Record<string, unknown>>;
  two_factor?: Record<string, unknown>;
  /** Your OAuth grants to apps. */
  oauth_grants?: Array<Record<string, unknown>>;
  /** Your browser sessions at the authorization server. */
  browser_logins?: Array<Record<string, unknown>>;
  /** The OAuth apps that you registered. */
  oauth_apps?: Array<Record<string, unknown>>;
  /** Invitations to your address. */
  invitations_received?: Array<Record<string, unknown>>;
  /** Invitations that you sent, without the addresses of others. */
  invitations_sent?: Array<Record<string, unknown>>;
  /** Emails to you that have not been sent yet. */
  mails_waiting?: Array<Record<string, unknown>>;
  /** Your sessions, past and current, with IP address and user agent. */
  login_sessions?: Array<Record<string, unknown>>;
  /** Your API tokens, without their secrets. */
  api_tokens?: Array<Record<string, unknown>>;
  /** The seats that you currently hold, with the metadata that your programs sent. */
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
  /** An ID of the machine, chosen by the client, in the format hw_[a-z0-9]{32}. */
  hardware_id: string;
  /**
   * Any data to store with the session, at most 50 keys and 8 KiB of JSON. If you set `project_id`, it must be the ID
   * of an active project; the session then counts toward its usage.
   */
  metadata?: Record<string, unknown>;
  /**
   * If no seat is free, joins the waiting list for up to this many seconds. The response is then 202, and GET
   * /v1/licenses/waits/{wait_id} gets the seat.
   */
  wait_seconds?: number;
  /**
   * Keeps the seat without heartbeats for this many seconds, up to the license's `policy.max_offline_seconds`. The
   * license token is valid for the same time.
   */
  offline_seconds?: number;
}

export interface AcquiredSeat {
  session_id: string;
  /** A JWT signed with RS256. Verify it offline with the public key. */
  license_token: string;
  /** When the license token expires. */
  expires_at: string;
  /** Seconds between heartbeats. */
  heartbeat_interval: number;
  features: LicenseFeatures;
  /** The time until which the seat needs no heartbeat. The seat is then freed. */
  offline_until?: string;
}

export interface ActivateLicenseBody {
  license_key: string;
  /** An ID of the machine, chosen by the client, in the format hw_[a-z0-9]{32}. */
  hardware_id: string;
  /** A name for the machine. */
  name?: string;
}

export interface ActivatedLicense {
  /** The token is shown only once. It works only for this license on this machine. */
  activation_token: string;
  activation_id: string;
  license_id: string;
  product: string;
}

export interface AddStaffMemberBody {
  /** An email address. Leading and trailing spaces and letter case are ignored. */
  email: string;
  /**
   * `viewer` can see everything. `support` can also manage seats, licenses, members, projects, and webhooks. `finance`
   * can also manage subscriptions, invoices, and payments. `owner` can do everything.
   */
  role: 'viewer' | 'support' | 'finance' | 'owner';
}

export interface AdvanceSandboxClockBody {
  /** How far to move the clock forward, at most ten years. */
  seconds: number;
}

export interface ApiToken {
  id: string;
  name: string;
  /** The first characters of the token, to identify it. */
  prefix: string;
  /** Without duplicates. */
  scopes: Scope[];
  status: 'active' | 'expired';
  created_at: string;
  expires_at: string | null;
  /** Accurate to the minute. */
  last_used_at: string | null;
  /** The token that replaced it by rotation. */
  replaced_by: string | null;
}

export interface AppliedCoupon {
  id: string;
  code: string;
  /** The percentage off. Null for a fixed-amount coupon. */
  percent_off: number | null;
  /** The amount off, in minor currency units. Null for a percentage coupon. */
  amount_off: number | null;
  /** The currency of the amount. Null for a percentage coupon. */
  currency: string | null;
  duration: 'once' | 'repeating' | 'forever';
  /** The number of months that a repeating coupon applies. Null for other coupons. */
  duration_months: number | null;
}

export interface AttachPaymentMethodBody {
  /** The payment provider's ID, or the name of a test card in the sandbox. */
  payment_method_id: string;
  /** Whether to use it for renewals from now on. */
  set_default?: boolean;
}

export interface AuditCredential {
  kind: 'session' | 'api' | 'oauth' | 'portal' | 'none' | 'operator';
  /** The session, API token, or OAuth grant. */
  id: string | null;
}

export interface AuditLogEntry {
  id: string;
  /** The resource and what happened to it, for example `member.removed`. */
  action: string;
  actor: {
    /**
     * `staff` is a staff member of the vendor, `operator_token` is one of the vendor's programs, and `operator` is a
     * command run on the server.
     */
    type: 'user' | 'staff' | 'operator' | 'operator_token' | 'unknown';
    /** The ID of the user or the operator token. Null for the other types. */
    id: string | null;
    /** The email address of staff. Null for all others. */
    email: string | null;
    /** Null if no user was logged in. */
    user_id: string | null;
    credential: AuditCredential;
  };
  request_id: string | null;
  client_address: string | null;
  target: {
    type: string;
    id: string;
  };
  /** The target as the API returns it. */
  before: Record<string, unknown> | null;
  /** The target as the API returns it. */
  after: Record<string, unknown> | null;
  created_at: string;
}

export interface BillingDetails {
  legal_name: string | null;
  address: string | null;
  tax_id: string | null;
  email: string | null;
}

export interface BillingDetailsInput {
  legal_name?: string | null;
  /** The postal address as written on an envelope, with lines separated by line feeds. */
  address?: string | null;
  tax_id?: string | null;
  /** An email address. Leading and trailing spaces and letter case are ignored. */
  email?: string | null;
}

export interface CancelSubscriptionBody {
  /** If false, the subscription is canceled at the end of the current period. */
  cancel_immediately?: boolean;
  reason?: string;
}

export interface Card {
  /** The card brand in lowercase, as the payment provider names it, for example visa or mastercard. */
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

export interface Catalogue {
  /** The products. */
  products?: Array<Record<string, unknown>>;
  /** The plans, as in a catalogue file. */
  plans: Array<Record<string, unknown>>;
  /** The coupons. */
  coupons?: Array<Record<string, unknown>>;
  /** The meters. */
  meters?: Array<Record<string, unknown>>;
}

export interface CatalogueChange {
  kind: 'product' | 'plan' | 'coupon' | 'meter';
  /** The key of the product or plan, the coupon's code, or the meter's name. */
  key: string;
  action: 'added' | 'changed' | 'archived' | 'revived' | 'removed';
  /** The fields that change. */
  fields: Array<{
    field: string;
    /** Null if there was no value. */
    before: string | number | boolean | null;
    /** Null if there is no value anymore. */
    after: string | number | boolean | null;
  }>;
}

export interface CatalogueDifference {
  /** Whether nothing was written. */
  dry_run: boolean;
  /** Empty if the catalogue already matches the file. */
  changes: CatalogueChange[];
}

export interface ChangeMemberRoleBody {
  role: 'member' | 'billing' | 'admin';
}

export interface ChangeOperatedOrganizationBody {
  status?: 'active' | 'suspended';
  /** Why it is suspended. Required with the status `suspended`, and shown to the customer. */
  reason?: string;
  notes?: string | null;
  external_id?: string | null;
  /** At most 50 keys of at most 40 characters. */
  metadata?: Record<string, string> | null;
}

export interface ChangeOperatorLicenseBody {
  product?: string;
  max_seats?: number;
  /** The features of the product that the license has. The four standard features are false by default. */
  features?: Record<string, FeatureValue>;
  /** Null for a perpetual license. */
  expires_at?: string | null;
  /** The vendor's own name for the license, unique in the organization. */
  external_id?: string | null;
  /**
   * Keys that the license had in another system. Programs can use them instead of its own key. An alias is unique
   * across all organizations.
   */
  key_aliases?: string[];
  /** Any data to keep with the license, at most 50 keys and 8 KiB of JSON. */
  metadata?: Record<string, unknown>;
  policy?: LicensePolicyInput;
}

export interface ChangePreview {
  /** The number of seats. */
  quantity: number;
  plan_id: string;
  proration_at: string;
  /** In minor currency units, after discounts. Charged if positive, credited if negative. */
  amount: number;
  /** The lines of the invoice for this change. Empty if nothing would be charged. */
  lines: InvoiceLine[];
  /** The sum of the lines, in minor currency units. */
  subtotal: number;
  /** The coupon discount, in minor currency units. */
  discount: number;
  /** The sum of the tax lines, in minor currency units. */
  tax: number;
  /** One for each tax rate. Empty if there is no tax. */
  tax_lines: InvoiceTaxLine[];
  /** `subtotal` − `discount` + `tax`, in minor currency units. */
  total: number;
  /** The credit applied to this invoice, in minor currency units. */
  credit_applied: number;
  /** `total` − `credit_applied`, in minor currency units. */
  amount_due: number;
  /** The amount that would become credit for the next invoices. */
  credit_added: number;
  /** An amount too small to charge now. It is billed with the next change or renewal. */
  carried: number;
  /** An ISO 4217 code in lowercase. */
  currency: string;
  /** The description as it appears on the invoice. */
  description: string;
  /** The price of the next period, before credit. */
  next_period_amount: number;
}

export interface ChangeStaffRoleBody {
  /**
   * `viewer` can see everything. `support` can also manage seats, licenses, members, projects, and webhooks. `finance`
   * can also manage subscriptions, invoices, and payments. `owner` can do everything.
   */
  role: 'viewer' | 'support' | 'finance' | 'owner';
}

export interface ChangedSubscription {
  id: string;
  status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
  plan: PlanSummary;
  /** The number of seats. */
  quantity: number;
  current_period_start: string;
  current_period_end: string;
  cancel_at_period_end: boolean;
  created_at: string;
  /** When the cancellation was requested. Null if it was not. */
  canceled_at: string | null;
  /** When the subscription ended. Null while it is live. */
  ended_at: string | null;
  coupon: AppliedCoupon | null;
  latest_invoice_id: string | null;
  /** The license of the subscription. Null until the first payment. */
  license_id: string | null;
  /** Whether the customer must authenticate a payment. */
  requires_action: boolean;
  /** A change that takes effect when it is paid. Null if there is none. */
  pending_change: {
    /** The number of seats. */
    quantity: number;
    plan_id: string;
    expires_at: string;
    /**
     * The payment provider's client secret to confirm the payment with. Empty if nothing was due. Null for staff and
     * operator tokens.
     */
    client_secret: string | null;
  } | null;
}

export interface ClientSecret {
  created_at: string;
  expires_at: string | null;
}

export type CompletedLogin = LoginResult | CookieLogin;

export interface ConfirmSandboxPaymentBody {
  client_secret: string;
  /** Whether the customer authenticates the payment. */
  outcome: 'succeed' | 'fail';
}

export interface CookieLogin {
  status: 'logged_in_with_cookie';
  user: UserSummary;
  /** When the session ends unless it is used. */
  expires_at: string;
}

export interface CreateApiTokenBody {
  name: string;
  /** Without duplicates. */
  scopes: Scope[];
  /** When the token expires. If null or omitted, it never does. */
  expires_at?: string | null;
}

export interface CreateInvitationBody {
  /** An email address. Leading and trailing spaces and letter case are ignored. */
  email: string;
  role: 'member' | 'billing' | 'admin';
}

export interface CreateOauthAppBody {
  name: string;
  /**
   * Where the browser can be redirected to, compared character by character. Use https, http for 127.0.0.1, [::1], and
   * localhost, or, for public apps, a custom scheme such as com.example.app:/callback. At least one, unless
   * `device_flow` is true.
   */
  redirect_uris: string[];
  /** Without duplicates. */
  scopes: Scope[];
  /**
   * Whether the app can keep a secret: true for server apps; false for mobile, desktop, and browser apps. It cannot be
   * changed later.
   */
  confidential: boolean;
  /**
   * Whether the app may use the device flow (RFC 8628), for programs without a browser. Turn it on only for apps that
   * need it.
   */
  device_flow?: boolean;
}

export interface CreateOperatedOrganizationBody {
  name: string;
  /** An email address. Leading and trailing spaces and letter case are ignored. */
  admin_email: string;
  billing_details?: BillingDetailsInput | null;
  notes?: string | null;
  external_id?: string | null;
  /** At most 50 keys of at most 40 characters. */
  metadata?: Record<string, string> | null;
}

export interface CreateOperatorCreditBody {
  organization_id: string;
  /** In minor currency units. */
  amount: number;
  /** An ISO 4217 code in lowercase. */
  currency: string;
  /** Why the credit is granted. The customer sees it. */
  reason: string;
}

export interface CreateOperatorTokenBody {
  name: string;
  /** What the token may do, as for staff. */
  role: 'viewer' | 'support' | 'finance' | 'owner';
  /** When the token expires. If null or omitted, it never does. */
  expires_at?: string | null;
}

export interface CreateOrganizationBody {
  name: string;
  /** Lowercase letters and digits, separated by single hyphens. Unique across all organizations. */
  slug?: string;
}

export interface CreateProjectBody {
  name: string;
  /** Lowercase letters and digits, separated by hyphens. Unique within the organization. */
  slug?: string;
  description?: string | null;
}

export interface CreateSubscriptionBody {
  plan_id: string;
  /** The number of seats. */
  quantity: number;
  /** A payment method ID from the payment provider, or the ID of an attached payment method. */
  payment_method_id: string;
  coupon_code?: string;
}

export interface CreateWebhookBody {
  /** An https URL without credentials or fragment that resolves to public IP addresses. */
  url: string;
  /**
   * Event types, groups such as `license.*` or `license.seat.*`, or `*` for all events, including future ones.
   * Duplicates are ignored.
   */
  events: string[];
  description?: string | null;
  /**
   * Your own signing secret: printable ASCII characters without leading or trailing spaces. If you omit it, we generate
   * one that works with all standard webhook libraries.
   */
  secret?: string;
}

export interface CreatedApiToken {
  id: string;
  name: string;
  /** The first characters of the token, to identify it. */
  prefix: string;
  /** Without duplicates. */
  scopes: Scope[];
  status: 'active' | 'expired';
  created_at: string;
  expires_at: string | null;
  /** Accurate to the minute. */
  last_used_at: string | null;
  /** The token that replaced it by rotation. */
  replaced_by: string | null;
  /** The secret token. It is shown only once; we store only its hash. */
  token: string;
}

export interface CreatedOperatorToken {
  id: string;
  name: string;
  /** What the token may do, as for staff. */
  role: 'viewer' | 'support' | 'finance' | 'owner';
  /** The first characters of the token. */
  prefix: string;
  status: 'active' | 'expired' | 'revoked';
  created_at: string;
  /** The ID of the user or operator token that created it. Null for a command run on the server. */
  created_by: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** `leak`: the token was sent over plain HTTP. */
  revoked_because: 'command' | 'leak' | null;
  /** Accurate to the minute. */
  last_used_at: string | null;
  /** The token. It is shown only once. */
  token: string;
}

export interface CreatedOrganization {
  id: string;
  name: string;
  slug: string;
  status: 'active' | 'suspended';
  suspended_at: string | null;
  suspension_reason: string | null;
  member_count: number;
  billing_details: BillingDetails | null;
  /** Never shown to the customer. */
  notes: string | null;
  /** The customer's ID in another system. */
  external_id: string | null;
  metadata: Record<string, string> | null;
  created_at: string;
  updated_at: string;
  seats: OrganizationSeats;
  /** The plan of the highest-tier live subscription. Null if there is none. */
  plan_name: string | null;
  /**
   * The credit for the next invoices, in minor units of `balance_currency`. If there is credit in several currencies,
   * this is the largest amount.
   */
  balance: number;
  balance_currency: string | null;
  /** When a login or an API token of the organization was last used. */
  last_active_at: string | null;
  invitation: Invitation;
}

export interface CreatedSubscription {
  id: string;
  status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
  /**
   * The payment provider's client secret to confirm the payment with. Empty if nothing was due. Null for staff and
   * operator tokens.
   */
  client_secret: string | null;
  /** Whether the customer must authenticate the payment. */
  requires_action: boolean;
}

export interface CreatedWebhookEndpoint {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  /**
   * `paused`: paused by you. `disabled`: disabled by the service because all attempts failed for days. In both cases,
   * events are held.
   */
  status: 'active' | 'paused' | 'disabled';
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
  /** The signing secret. It is shown only once. Null for staff and operator tokens. */
  secret: string | null;
}

export interface Credit {
  id: string;
  organization_id: string;
  /** In minor currency units. */
  amount: number;
  /** An ISO 4217 code in lowercase. */
  currency: string;
  reason: string;
  /** The organization's credit balance in this currency, including this credit. */
  credit_balance: number;
  created_at: string;
}

export interface CreditBalance {
  /** One for each currency in which there is credit, the largest first. Empty if there is none. */
  balances: Array<{
    /** An ISO 4217 code in lowercase. */
    currency: string;
    /** In minor currency units. */
    balance: number;
  }>;
}

export interface DeleteMeBody {
  password: string;
  /** Required when two-factor authentication is on: a code from your authenticator app, or a recovery code. */
  code?: string;
}

export interface DeleteOperatedOrganizationBody {
  /** The exact name of the organization. */
  confirm: string;
}

export interface DeleteOrganizationBody {
  /** The exact name of the organization. */
  confirm: string;
}

export interface DemandPoint {
  /** When the hour or day begins. */
  at: string;
  /** The most seats in use at one moment. */
  peak: number;
  /** How many acquires were refused, with any error code. */
  refused: number;
  /** The most machines in the waiting list at one moment. */
  waiting_peak: number;
}

export interface DisableTwoFactorBody {
  password: string;
  /**
   * Six digits from the authenticator app, or a recovery code. The hyphen and the letter case of a recovery code are
   * ignored.
   */
  code: string;
}

export interface EmailVerified {
  status: 'verified';
}

export interface EnableTwoFactorBody {
  /** Six digits from the authenticator app. Spaces are ignored. */
  code: string;
}

export interface Event {
  /** Unique per event. Use it to detect duplicates. */
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
  /** The JSON Schema of `data.object`. */
  schema: Record<string, unknown>;
  example: Record<string, unknown>;
}

export type EventTypeName = 
  | 'org.member.invited'
  | 'org.member.joined'
  | 'org.member.removed'
  | 'org.member.role_changed'
  | 'org.suspended'
  | 'org.reinstated'
  | 'license.seat.acquired'
  | 'license.seat.released'
  | 'license.seat.timeout'
  | 'license.seats.exhausted'
  | 'license.seat.refused'
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
  | 'credit.granted'
  | 'payment_method.attached'
  | 'payment_method.removed';

export interface ExchangeWebhookPortalLinkBody {
  /** The part of the URL after #. */
  token: string;
}

export interface ExplainedLicense {
  id: string;
  /** Four groups of five characters, separated by hyphens. */
  key: string;
  product: string;
  /** The maximum number of simultaneous sessions. */
  max_seats: number;
  active_seats: number;
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** ISO 8601 in UTC. Null for a perpetual license. */
  expires_at: string | null;
  created_at: string;
  organization_id: string;
}

export interface ExplainedRefusal {
  id: string;
  /** The error code that the acquires returned. */
  code:
    | 'no_seats_available'
    | 'license_expired'
    | 'license_suspended'
    | 'license_revoked'
    | 'user_not_allowed'
    | 'offline_not_allowed';
  activation_id?: string;
  /**
   * Null for an activated machine, and if so many users and machines were refused in this minute that they are not
   * listed individually.
   */
  user_id: string | null;
  /** The machine. Null if more machines were refused in this minute than are listed individually. */
  hardware_id: string | null;
  /** How many acquires were refused. */
  count: number;
  first_at: string;
  /** The time of the last refusal, in the same minute as first_at. */
  last_at: string;
  /** The number of seats in use at the last of these refusals. */
  active_seats: number;
  /** The number of seats of the license at the last of these refusals. */
  max_seats: number;
}

export interface ExplainedUser {
  id: string;
  name: string;
  email: string;
  /** In the organization that owns the license. Null if the user is not a member. */
  role: 'admin' | 'billing' | 'member' | null;
}

/** true, false, a number, or a string of at most 255 characters */
export type FeatureValue = boolean | number | string;

export interface ForgotPasswordBody {
  /** An email address. Leading and trailing spaces and letter case are ignored. */
  email: string;
}

export interface Heartbeat {
  session_id: string;
  status: 'active';
  next_heartbeat_due: string;
  /** A new license token. Returned when less than half of the lifetime of the last one remains. */
  license_token?: string;
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
  /** The user who sent the invitation. Null if one of the vendor's programs did. */
  invited_by: string | null;
  created_at: string;
  expires_at: string;
  accepted_at: string | null;
}

export interface Invoice {
  id: string;
  /** The human-readable number, without gaps within an organization. Null while the invoice is a draft. */
  number: string | null;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  subscription_id: string;
  period_start: string;
  period_end: string;
  /** The sum of the lines, in minor currency units. */
  subtotal: number;
  /** The coupon discount, in minor currency units. */
  discount: number;
  /** The sum of the tax lines, in minor currency units. */
  tax: number;
  /** One for each tax rate. Empty if there is no tax. */
  tax_lines: InvoiceTaxLine[];
  /** `subtotal` − `discount` + `tax`, in minor currency units. */
  total: number;
  /** The credit applied to this invoice, in minor currency units. */
  credit_applied: number;
  /** `total` − `credit_applied`, in minor currency units. */
  amount_due: number;
  /** The coupon that was applied. Null if there is none. */
  coupon_code: string | null;
  /** In minor currency units. */
  amount_paid: number;
  /** An ISO 4217 code in lowercase. */
  currency: string;
  created_at: string;
  /** Null until it is paid. */
  paid_at: string | null;
  /** When it was paid, voided, or marked uncollectible. Null while it is open. */
  closed_at: string | null;
  /** The URL of the PDF. Downloading it requires a token. */
  pdf_url: string;
  lines: InvoiceLine[];
}

export interface InvoiceLine {
  description: string;
  quantity: number;
  /** In minor currency units. Negative for credits. */
  unit_amount: number;
  /** Always `quantity` × `unit_amount`. */
  amount: number;
}

export interface InvoiceTaxLine {
  name: string;
  /** A decimal number, for example 19.0. */
  percent: string;
  /** The taxable amount, in minor currency units. */
  taxable: number;
  /** In minor currency units. */
  amount: number;
}

export interface IssueOperatorLicenseBody {
  organization_id: string;
  product: string;
  max_seats: number;
  /** The features of the product that the license has. The four standard features are false by default. */
  features?: Record<string, FeatureValue>;
  /** Null for a perpetual license. */
  expires_at: string | null;
  /**
   * Keys that the license had in another system. Programs can use them instead of its own key. An alias is unique
   * across all organizations.
   */
  key_aliases?: string[];
  /** The vendor's own name for the license, unique in the organization. */
  external_id?: string | null;
  /** Any data to keep with the license, at most 50 keys and 8 KiB of JSON. */
  metadata?: Record<string, unknown>;
  policy?: LicensePolicyInput;
  /** The rate-limit tier of the organization while it has no subscription. */
  tier?: 'free' | 'pro' | 'enterprise';
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
  /** Four groups of five characters, separated by hyphens. */
  key: string;
  product: string;
  /** The maximum number of simultaneous sessions. */
  max_seats: number;
  active_seats: number;
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** ISO 8601 in UTC. Null for a perpetual license. */
  expires_at: string | null;
  created_at: string;
}

export interface LicenseActivation {
  id: string;
  license_id: string;
  hardware_id: string;
  name: string | null;
  created_at: string;
  /** When its current token was created. */
  activated_at: string;
}

export interface LicenseDemand {
  /** One for each hour or day, including those with no use, oldest first. */
  points: DemandPoint[];
  /**
   * How many seats would have been enough: the highest number, over all minutes, of the most seats in use at one moment
   * plus the users and machines that were refused in that minute.
   */
  suggested_seats: number;
}

export interface LicenseDetail {
  id: string;
  /** Four groups of five characters, separated by hyphens. */
  key: string;
  product: string;
  /** The maximum number of simultaneous sessions. */
  max_seats: number;
  active_seats: number;
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** ISO 8601 in UTC. Null for a perpetual license. */
  expires_at: string | null;
  created_at: string;
  available_seats: number;
  features: LicenseFeatures;
  /** The active sessions, newest first, at most 100. */
  sessions: LicenseSession[];
}

/**
 * The features of the license: ai_assistance, cloud_workstations, team_collaboration, and priority_support, each true
 * or false, and any that the vendor adds, which can also be numbers or strings.
 */
export type LicenseFeatures = Record<string, FeatureValue>;

export interface LicensePolicy {
  /** account or key */
  activation: 'account' | 'key';
  /** a whole number of seconds from 0 to 31,536,000 */
  max_offline_seconds: number;
  /** a whole number of seats from 0 to 100,000 */
  min_online_seats: number;
  /** a whole number from 1 to 1,000,000 */
  max_activations: number;
  /** true or false */
  node_locked: boolean;
  /** a whole number of seconds from 1 to 86,400 */
  heartbeat_interval: number;
  /** a whole number of seconds from 1 to 604,800 */
  session_timeout: number;
  /** The IDs of the users who may take a seat, at most 1,000. Null for every member. */
  allowed_users: string[] | null;
}

/** The rules that the license sets itself. A field that is null is inherited again. */
export interface LicensePolicyInput {
  activation?: 'account' | 'key' | null;
  /** a whole number of seconds from 0 to 31,536,000 */
  max_offline_seconds?: number | null;
  /** a whole number of seats from 0 to 100,000 */
  min_online_seats?: number | null;
  /** a whole number from 1 to 1,000,000 */
  max_activations?: number | null;
  /** true or false */
  node_locked?: boolean | null;
  /** a whole number of seconds from 1 to 86,400 */
  heartbeat_interval?: number | null;
  /** a whole number of seconds from 1 to 604,800 */
  session_timeout?: number | null;
  /** The IDs of the users who may take a seat, at most 1,000. Null for every member. */
  allowed_users?: string[] | null;
}

export interface LicensePolicyOverrides {
  /** account or key */
  activation?: 'account' | 'key';
  /** a whole number of seconds from 0 to 31,536,000 */
  max_offline_seconds?: number;
  /** a whole number of seats from 0 to 100,000 */
  min_online_seats?: number;
  /** a whole number from 1 to 1,000,000 */
  max_activations?: number;
  /** true or false */
  node_locked?: boolean;
  /** a whole number of seconds from 1 to 86,400 */
  heartbeat_interval?: number;
  /** a whole number of seconds from 1 to 604,800 */
  session_timeout?: number;
  /** The IDs of the users who may take a seat, at most 1,000. Null for every member. */
  allowed_users?: string[] | null;
}

export interface LicensePublicKey {
  algorithm: 'RS256';
  key_id: string;
  /** The public key in PEM format (SPKI). */
  public_key: string;
  jwk: Record<string, unknown>;
  issuer: string;
  audience: string;
}

export interface LicenseSeat {
  /** The number of the seat, from 1 to max_seats. */
  slot: number;
  /** The active session that holds the seat. Null if the seat is free. */
  session: LicenseSession | null;
}

export interface LicenseSession {
  id: string;
  user_id: string | null;
  /** The activation, if the seat was taken with a license key instead of by a user. */
  activation_id?: string;
  /** The machine, as the client named it. */
  hardware_id: string;
  started_at: string;
  last_heartbeat: string;
  /** The user. Only admins get this field. Null if the user is no longer a member. */
  user?: NamedUser | null;
  /** `metadata.hostname`, if it is a string. */
  hostname: string | null;
  /** `metadata.client_version`, if it is a string. */
  client_version: string | null;
  /** The time until which the seat needs no heartbeat. Null if the seat is not offline. */
  offline_until: string | null;
}

export interface LicenseSessionRecord {
  id: string;
  user_id: string | null;
  /** The activation, if the seat was taken with a license key instead of by a user. */
  activation_id?: string;
  /** The machine, as the client named it. */
  hardware_id: string;
  started_at: string;
  last_heartbeat: string;
  /** The user. Only admins get this field. Null if the user is no longer a member. */
  user?: NamedUser | null;
  /** `metadata.hostname`, if it is a string. */
  hostname: string | null;
  /** `metadata.client_version`, if it is a string. */
  client_version: string | null;
  /** The time until which the seat needs no heartbeat. Null if the seat is not offline. */
  offline_until: string | null;
  license_id: string;
  status: 'active' | 'released' | 'timed_out';
  ended_at: string | null;
  /**
   * The ID of the user, admin, staff member, or operator token that released the session. Null if it was not released.
   */
  released_by: string | null;
  metadata: Record<string, unknown> | null;
}

export interface ListedOrganization {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  member_count: number;
  /** The customer's ID in another system. */
  external_id: string | null;
  created_at: string;
  seats: OrganizationSeats;
  /** The plan of the highest-tier live subscription. Null if there is none. */
  plan_name: string | null;
  /**
   * The credit for the next invoices, in minor units of `balance_currency`. If there is credit in several currencies,
   * this is the largest amount.
   */
  balance: number;
  balance_currency: string | null;
  /** When a login or an API token of the organization was last used. */
  last_active_at: string | null;
}

export interface LoggedOut {
  status: 'logged_out';
}

export type LoginAnswer = LoginResult | CookieLogin | TwoFactorRequired;

export interface LoginBody {
  /** An email address. Leading and trailing spaces and letter case are ignored. */
  email: string;
  password: string;
}

export interface LoginResult {
  status: 'logged_in';
  user: UserSummary;
  access_token: string;
  refresh_token: string;
  /** When the access token expires. */
  expires_at: string;
}

export interface MakeSandboxPaymentMethodBody {
  /** A test card number. Spaces and hyphens are ignored. */
  number: string;
  /** The expiry month, 1 to 12. */
  exp_month: number;
  /** The year with four digits. */
  exp_year: number;
  /** Any three digits, or four for American Express. */
  cvc: string;
}

export interface Member {
  user_id: string;
  organization_id: string;
  email: string;
  name: string;
  /** The user's picture, or a default picture if they have none. */
  avatar_url: string;
  role: 'member' | 'billing' | 'admin';
  /** When the member joined. */
  created_at: string;
}

export interface NamedUser {
  id: string;
  name: string;
  email: string;
}

export interface OauthApp {
  id: string;
  /** The same as `id`. */
  client_id: string;
  name: string;
  redirect_uris: string[];
  /** Without duplicates. */
  scopes: Scope[];
  confidential: boolean;
  /**
   * Whether the app may use the device flow (RFC 8628), for programs without a browser. Turn it on only for apps that
   * need it.
   */
  device_flow: boolean;
  /** The user who created the app. Null when they have left the organization; only admins can then change it. */
  created_by: string | null;
  created_at: string;
  updated_at: string;
  /** The active client secrets, newest first. There are two during a rotation. */
  secrets: ClientSecret[];
}

export interface OauthAppWithSecret {
  id: string;
  /** The same as `id`. */
  client_id: string;
  name: string;
  redirect_uris: string[];
  /** Without duplicates. */
  scopes: Scope[];
  confidential: boolean;
  /**
   * Whether the app may use the device flow (RFC 8628), for programs without a browser. Turn it on only for apps that
   * need it.
   */
  device_flow: boolean;
  /** The user who created the app. Null when they have left the organization; only admins can then change it. */
  created_by: string | null;
  created_at: string;
  updated_at: string;
  /** The active client secrets, newest first. There are two during a rotation. */
  secrets: ClientSecret[];
  /** The client secret. Null for a public app. It is shown only once; we store only its hash. */
  client_secret: string | null;
}

export interface OauthGrant {
  id: string;
  app: {
    id: string;
    name: string;
  };
  /** The organization that the app acts in, which is not necessarily the one that owns it. */
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
  /** When the user last authorized the app. */
  updated_at: string;
}

export interface OperatedDeletion {
  id: string;
  /** Always true. */
  deleted: boolean;
}

export interface OperatedOrganization {
  id: string;
  name: string;
  slug: string;
  status: 'active' | 'suspended';
  suspended_at: string | null;
  suspension_reason: string | null;
  member_count: number;
  billing_details: BillingDetails | null;
  /** Never shown to the customer. */
  notes: string | null;
  /** The customer's ID in another system. */
  external_id: string | null;
  metadata: Record<string, string> | null;
  created_at: string;
  updated_at: string;
  seats: OrganizationSeats;
  /** The plan of the highest-tier live subscription. Null if there is none. */
  plan_name: string | null;
  /**
   * The credit for the next invoices, in minor units of `balance_currency`. If there is credit in several currencies,
   * this is the largest amount.
   */
  balance: number;
  balance_currency: string | null;
  /** When a login or an API token of the organization was last used. */
  last_active_at: string | null;
}

export interface OperatedUser {
  id: string;
  email: string;
  name: string;
  email_verified: boolean;
  two_factor_enabled: boolean;
  /** Whether the account is locked after too many incorrect passwords or codes. */
  is_locked: boolean;
  last_login_at: string | null;
  /** Oldest membership first. */
  organizations: Array<{
    id: string;
    name: string;
    role: 'member' | 'billing' | 'admin';
  }>;
  created_at: string;
}

export interface OperatorAuditLogEntry {
  /** Null for changes to the installation itself, such as to the catalogue. */
  organization_id: string | null;
  id: string;
  /** The resource and what happened to it, for example `member.removed`. */
  action: string;
  actor: {
    /**
     * `staff` is a staff member of the vendor, `operator_token` is one of the vendor's programs, and `operator` is a
     * command run on the server.
     */
    type: 'user' | 'staff' | 'operator' | 'operator_token' | 'unknown';
    /** The ID of the user or the operator token. Null for the other types. */
    id: string | null;
    /** The user's email address. Null if the account was deleted, and for actors that are not users. */
    email: string | null;
    /** Null if no user was logged in. */
    user_id: string | null;
    credential: AuditCredential;
  };
  request_id: string | null;
  client_address: string | null;
  target: {
    type: string;
    id: string;
  };
  /** The target as the API returns it. */
  before: Record<string, unknown> | null;
  /** The target as the API returns it. */
  after: Record<string, unknown> | null;
  created_at: string;
}

export interface OperatorInvoice {
  organization_id: string;
  /** The name that the invoice is addressed to. */
  buyer_name: string;
  id: string;
  /** The human-readable number, without gaps within an organization. Null while the invoice is a draft. */
  number: string | null;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  subscription_id: string;
  period_start: string;
  period_end: string;
  /** The sum of the lines, in minor currency units. */
  subtotal: number;
  /** The coupon discount, in minor currency units. */
  discount: number;
  /** The sum of the tax lines, in minor currency units. */
  tax: number;
  /** One for each tax rate. Empty if there is no tax. */
  tax_lines: InvoiceTaxLine[];
  /** `subtotal` − `discount` + `tax`, in minor currency units. */
  total: number;
  /** The credit applied to this invoice, in minor currency units. */
  credit_applied: number;
  /** `total` − `credit_applied`, in minor currency units. */
  amount_due: number;
  /** The coupon that was applied. Null if there is none. */
  coupon_code: string | null;
  /** In minor currency units. */
  amount_paid: number;
  /** An ISO 4217 code in lowercase. */
  currency: string;
  created_at: string;
  /** Null until it is paid. */
  paid_at: string | null;
  /** When it was paid, voided, or marked uncollectible. Null while it is open. */
  closed_at: string | null;
  /** The URL of the PDF. Downloading it requires a token. */
  pdf_url: string;
  lines: InvoiceLine[];
}

export interface OperatorLicense {
  id: string;
  /** Four groups of five characters, separated by hyphens. */
  key: string;
  product: string;
  /** The maximum number of simultaneous sessions. */
  max_seats: number;
  active_seats: number;
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** ISO 8601 in UTC. Null for a perpetual license. */
  expires_at: string | null;
  created_at: string;
  available_seats: number;
  features: LicenseFeatures;
  organization_id: string;
  subscription_id: string | null;
  /** Keys from another system that also identify this license. */
  key_aliases: string[];
  /** The vendor's own name for the license. */
  external_id: string | null;
  metadata: Record<string, unknown>;
  tier: 'free' | 'pro' | 'enterprise' | null;
  policy: LicensePolicy;
  policy_overrides: LicensePolicyOverrides;
}

export interface OperatorLicenseDetail {
  id: string;
  /** Four groups of five characters, separated by hyphens. */
  key: string;
  product: string;
  /** The maximum number of simultaneous sessions. */
  max_seats: number;
  active_seats: number;
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** ISO 8601 in UTC. Null for a perpetual license. */
  expires_at: string | null;
  created_at: string;
  available_seats: number;
  features: LicenseFeatures;
  organization_id: string;
  subscription_id: string | null;
  /** Keys from another system that also identify this license. */
  key_aliases: string[];
  /** The vendor's own name for the license. */
  external_id: string | null;
  metadata: Record<string, unknown>;
  tier: 'free' | 'pro' | 'enterprise' | null;
  policy: LicensePolicy;
  policy_overrides: LicensePolicyOverrides;
  /** The active sessions, newest first, at most 100. */
  sessions: LicenseSession[];
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
  /** In minor currency units. */
  amount: number;
  /** An ISO 4217 code in lowercase. */
  currency: string;
  status: 'pending' | 'requires_action' | 'processing' | 'succeeded' | 'declined' | 'canceled' | 'orphaned';
  /** The payment method that was charged. Null for an orphaned payment. */
  payment_method_id: string | null;
  /** Why the payment was declined. */
  decline_code: string | null;
  /** Why the payment is orphaned. Null if it is not. */
  orphaned_because: string | null;
  provider: 'stripe' | 'test';
  /** The payment provider's ID. */
  provider_ref: string | null;
  created_at: string;
  /** When the outcome became known. */
  settled_at: string | null;
}

export interface OperatorRefusal {
  id: string;
  /** The error code that the acquires returned. */
  code:
    | 'no_seats_available'
    | 'license_expired'
    | 'license_suspended'
    | 'license_revoked'
    | 'user_not_allowed'
    | 'offline_not_allowed';
  activation_id?: string;
  /**
   * Null for an activated machine, and if so many users and machines were refused in this minute that they are not
   * listed individually.
   */
  user_id: string | null;
  /** The machine. Null if more machines were refused in this minute than are listed individually. */
  hardware_id: string | null;
  /** How many acquires were refused. */
  count: number;
  first_at: string;
  /** The time of the last refusal, in the same minute as first_at. */
  last_at: string;
  /** The number of seats in use at the last of these refusals. */
  active_seats: number;
  /** The number of seats of the license at the last of these refusals. */
  max_seats: number;
  organization_id: string;
  license_id: string;
}

export interface OperatorSubscription {
  organization_id: string;
  id: string;
  status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
  plan: PlanSummary;
  /** The number of seats. */
  quantity: number;
  current_period_start: string;
  current_period_end: string;
  cancel_at_period_end: boolean;
  created_at: string;
  /** When the cancellation was requested. Null if it was not. */
  canceled_at: string | null;
  /** When the subscription ended. Null while it is live. */
  ended_at: string | null;
  coupon: AppliedCoupon | null;
  latest_invoice_id: string | null;
  /** The license of the subscription. Null until the first payment. */
  license_id: string | null;
  /** Whether the customer must authenticate a payment. */
  requires_action: boolean;
  /** A change that takes effect when it is paid. Null if there is none. */
  pending_change: PendingChange | null;
}

export interface OperatorToken {
  id: string;
  name: string;
  /** What the token may do, as for staff. */
  role: 'viewer' | 'support' | 'finance' | 'owner';
  /** The first characters of the token. */
  prefix: string;
  status: 'active' | 'expired' | 'revoked';
  created_at: string;
  /** The ID of the user or operator token that created it. Null for a command run on the server. */
  created_by: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** `leak`: the token was sent over plain HTTP. */
  revoked_because: 'command' | 'leak' | null;
  /** Accurate to the minute. */
  last_used_at: string | null;
}

export interface OrderPreview {
  plan_id: string;
  /** The number of seats. */
  quantity: number;
  /** The coupon for the code. Null if no code was sent. */
  coupon: AppliedCoupon | null;
  /** The lines of the first invoice. */
  lines: InvoiceLine[];
  /** The sum of the lines, in minor currency units. */
  subtotal: number;
  /** The coupon discount, in minor currency units. */
  discount: number;
  /** The sum of the tax lines, in minor currency units. */
  tax: number;
  /** One for each tax rate. Empty if there is no tax. */
  tax_lines: InvoiceTaxLine[];
  /** `subtotal` − `discount` + `tax`, in minor currency units. */
  total: number;
  /** The credit applied to this invoice, in minor currency units. */
  credit_applied: number;
  /** `total` − `credit_applied`, in minor currency units. */
  amount_due: number;
  /** An ISO 4217 code in lowercase. */
  currency: string;
  /** The price of the next period, before credit. */
  next_period_amount: number;
}

export interface Organization {
  id: string;
  name: string;
  slug: string;
  /** Your role in the organization. */
  role: 'member' | 'billing' | 'admin';
  created_at: string;
  updated_at: string;
  member_count: number;
  /** Who invoices are addressed to. Visible to the role `billing` and higher; null for others. */
  billing_details: BillingDetails | null;
}

export interface OrganizationSeats {
  /** The number of seats of all licenses that can be used now. */
  included: number;
  used: number;
}

export interface Overview {
  /** The start of the period, rounded to a whole hour. */
  from: string;
  /** The end of the period, rounded to a whole hour. */
  to: string;
  /**
   * The monthly price of all active and past-due subscriptions now, before discounts and tax, in minor units. One entry
   * for each currency.
   */
  mrr: RecurringRevenue[];
  active_subscriptions: number;
  trials: number;
  /** Subscriptions that started in this period. */
  new: number;
  /** Subscriptions that ended in this period. */
  churned: number;
  past_due: number;
  seats: OverviewSeats;
  /** Acquires that were refused in this period. */
  refusals: number;
  deliveries: OverviewDeliveries;
  /** Emails that have not been sent yet, up to 10,000. */
  mails_waiting: number;
  /** The number of background jobs that are late. */
  jobs_late: number;
  /** The names of the late jobs, as in the log. */
  late_jobs: string[];
}

/** Deliveries that ended in this period. */
export interface OverviewDeliveries {
  succeeded: number;
  failed: number;
}

export interface OverviewSeats {
  /** The seats of all licenses that are active now. */
  sold: number;
  /** The seats in use now. */
  used: number;
  /** The highest number of seats in use at one moment of this period. */
  peak: number;
}

export interface OwnLogin {
  id: string;
  /**
   * `api`: created by POST /v1/auth/login. `dashboard`: the same, with a cookie. `browser`: created on the login page
   * for OAuth apps.
   */
  kind: 'api' | 'browser' | 'dashboard';
  created_at: string;
  /** When the session was created, last refreshed, or last used by a browser. Use of a cookie is noted once an hour. */
  last_seen_at: string;
  /** When the session ends unless it is refreshed, or used if it has a cookie. */
  expires_at: string;
  client_address: string | null;
  user_agent: string | null;
  /** The organization that requests act in by default. Null for a browser session, where the user chooses each time. */
  organization_id: string | null;
  /** Whether this is the session of the request. */
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
  created_at: string;
}

export interface PendingChange {
  /** The number of seats. */
  quantity: number;
  plan_id: string;
  expires_at: string;
}

export interface Plan {
  id: string;
  name: string;
  description: string;
  /** The price of one seat for one interval, in minor currency units. Null if the plan is sold by contact. */
  price: number | null;
  /** An ISO 4217 code in lowercase. */
  currency: string;
  interval: 'month';
  /** Present only on a plan that is sold by contact. You cannot subscribe to it through the API. */
  contact_sales?: boolean;
  features: PlanFeatures;
}

export interface PlanFeatures {
  /** The maximum number of seats in a subscription, or `unlimited`. */
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
  /** The price of one seat for one interval, in minor currency units. Null if the plan is sold by contact. */
  price: number | null;
  /** An ISO 4217 code in lowercase. */
  currency: string;
  interval: 'month';
}

export interface Product {
  /** The key that licenses and plans refer to. */
  key: string;
  name: string;
  /** The features that its licenses can have, in addition to the four standard ones. */
  features: Record<string, ProductFeature>;
  policy: {
    /** account or key */
    activation?: 'account' | 'key';
    /** a whole number of seconds from 0 to 31,536,000 */
    max_offline_seconds?: number;
    /** a whole number of seats from 0 to 100,000 */
    min_online_seats?: number;
    /** a whole number from 1 to 1,000,000 */
    max_activations?: number;
    /** true or false */
    node_locked?: boolean;
    /** a whole number of seconds from 1 to 86,400 */
    heartbeat_interval?: number;
    /** a whole number of seconds from 1 to 604,800 */
    session_timeout?: number;
  };
  /**
   * `declared`: you described it, and its licenses accept only these features. `derived`: it was inferred from the
   * features that licenses and plans use.
   */
  source: 'declared' | 'derived';
  created_at: string;
  updated_at: string;
}

export interface ProductFeature {
  /** boolean, number, or string */
  type: 'boolean' | 'number' | 'string';
  /** The display name. */
  name: string;
}

export interface Project {
  id: string;
  name: string;
  /** Lowercase letters and digits, separated by hyphens. Unique within the organization. */
  slug: string;
  description: string | null;
  status: 'active' | 'archived';
  created_at: string;
  updated_at: string;
}

export interface ProjectUsage {
  project_id: string;
  /** The start of the current calendar month, in UTC. */
  period_start: string;
  /** The start of the next calendar month, in UTC. */
  period_end: string;
  seats: {
    /** The current time. */
    used: number;
  };
  /** Sessions that ended in the period, and those that are active now. */
  sessions: number;
  /**
   * The total duration of the sessions that ended in the period, in seconds, with each rounded to the nearest second.
   */
  seat_seconds: number;
}

export interface RecordUsageBody {
  organization_id: string;
  /** The name of a meter in the catalogue, for example ai_tokens. */
  meter: string;
  /** At most 6 decimal places and 15 digits in total. */
  value: number;
  /**
   * When it was used, on the organization's clock, from 35 days ago to 5 minutes ahead. Records can arrive in any
   * order.
   */
  at: string;
  /**
   * Your own ID for this record, unique within the organization and meter. Sending it again returns the first record
   * with 200 and counts nothing. It is kept as long as the record, 100 days, while the Idempotency-Key header is kept
   * for 24 hours.
   */
  idempotency_key?: string;
}

export interface RecoveryCodes {
  /** Shown only once. Each code works once in place of a code from the authenticator app. */
  recovery_codes: string[];
}

export interface RecurringRevenue {
  currency: string;
  amount: number;
}

export interface RefreshBody {
  refresh_token: string;
}

export interface RefusalReason {
  /** The error code that an acquire returns for this reason. */
  code:
    | 'organization_suspended'
    | 'not_found'
    | 'no_seats_available'
    | 'license_expired'
    | 'license_suspended'
    | 'license_revoked'
    | 'user_not_allowed'
    | 'offline_not_allowed';
  /** A description of the reason. */
  message: string;
  /** When this reason began to apply. Null if unknown. */
  since: string | null;
  /** For no_seats_available: the sessions that hold the seats, newest first, at most 100. */
  holders?: LicenseSession[];
}

export interface RegisterBody {
  /** An email address. Leading and trailing spaces and letter case are ignored. */
  email: string;
  /** Must not be a common password, the user's name, or the email address. */
  password: string;
  name: string;
}

export interface ReinstateOperatorLicenseBody {
  /** The reason, shown in the organization's audit log. */
  reason?: string;
}

export interface ReleaseSeatBody {
  session_id: string;
}

export interface ReleasedSeat {
  session_id: string;
  status: 'released';
  released_at: string;
  /**
   * Present only if an admin released an offline seat: the time until which its program may keep running without
   * noticing. Until then, the session is in the revocation list.
   */
  may_run_until?: string;
}

export interface RenewRecoveryCodesBody {
  password: string;
  /**
   * Six digits from the authenticator app, or a recovery code. The hyphen and the letter case of a recovery code are
   * ignored.
   */
  code: string;
}

export interface ReplaceProductBody {
  /** The name of the product. */
  name: string;
  /** All of its features. Features that you omit are removed. */
  features: Record<string, {
    /** boolean, number, or string */
    type: 'boolean' | 'number' | 'string';
    /** The display name. Defaults to the key of the feature. */
    name?: string;
  }>;
  policy?: {
    /** account or key */
    activation?: 'account' | 'key';
    /** a whole number of seconds from 0 to 31,536,000 */
    max_offline_seconds?: number;
    /** a whole number of seats from 0 to 100,000 */
    min_online_seats?: number;
    /** a whole number from 1 to 1,000,000 */
    max_activations?: number;
    /** true or false */
    node_locked?: boolean;
    /** a whole number of seconds from 1 to 86,400 */
    heartbeat_interval?: number;
    /** a whole number of seconds from 1 to 604,800 */
    session_timeout?: number;
  };
}

export interface ReplayWebhookBody {
  /** Include events created at this time or later. */
  since: string;
  /** Include only events created before this time. Defaults to the current time, which is also the maximum. */
  until?: string;
  /**
   * If true, replay only failed and held deliveries. If false, also replay those that succeeded. Pending deliveries and
   * test events are never replayed.
   */
  only_failed?: boolean;
  /** Only count the deliveries. The response has status 200. */
  dry_run?: boolean;
}

export interface RequestRecord {
  id: string;
  /** When the request arrived. */
  at: string;
  method: string;
  /** The endpoint, with its parameters in braces. Null if no endpoint matches the path. */
  route: string | null;
  status: number;
  /** The error code. Null if the request succeeded. */
  code: string | null;
  duration_ms: number;
  /** The organization that the caller acted in. */
  organization_id: string | null;
  /** The caller: a user or an operator token. Null without a valid token. */
  user_id: string | null;
}

export interface ResetAccepted {
  status: 'accepted';
}

export interface ResetPasswordBody {
  /** The code from the email. */
  token: string;
  /** Must not be a common password, the user's name, or the email address. */
  password: string;
}

export interface RevokeOperatorLicenseBody {
  /** The reason, shown in the organization's audit log. */
  reason: string;
}

export interface RotateApiTokenBody {
  /** How long the old token keeps working, unless it expires earlier. With 0 it stops working immediately. */
  overlap_seconds?: number;
  /** When the new token expires. Null means never. If omitted, it gets the same lifetime as the old token. */
  expires_at?: string | null;
}

export interface RotateOauthAppSecretBody {
  /** How long the previous secret keeps working. */
  overlap_seconds?: number;
}

export interface RotateWebhookSecretBody {
  /**
   * Your own signing secret: printable ASCII characters without leading or trailing spaces. If you omit it, we generate
   * one that works with all standard webhook libraries.
   */
  secret?: string;
  /** How long the previous secrets keep signing. With 0 they stop immediately. */
  overlap_seconds?: number;
}

export interface RotatedWebhookEndpoint {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  /**
   * `paused`: paused by you. `disabled`: disabled by the service because all attempts failed for days. In both cases,
   * events are held.
   */
  status: 'active' | 'paused' | 'disabled';
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
  /** The signing secret. It is shown only once. Null for staff and operator tokens. */
  secret: string | null;
  /** When the previous secrets stop signing. Null if only the current secret signs. */
  previous_secret_expires_at: string | null;
}

export interface SandboxClock {
  /** The current time of the organization's clock. */
  now: string;
  /** How far the clock is ahead of real time, in seconds. */
  offset_seconds: number;
}

export interface SandboxClockAdvanced {
  /** The current time of the organization's clock. */
  now: string;
  /** How far the clock is ahead of real time, in seconds. */
  offset_seconds: number;
  /** The time of the clock before the move. */
  from: string;
  /** The first 1,000, in chronological order. */
  happened: Array<{
    /** On the organization's clock. */
    at: string;
    /** An event type, or `webhook.attempt`. */
    type: string;
    /** The ID of the event, or of the delivery for an attempt. */
    id: string;
    /** The ID of the event's object, or of the endpoint for an attempt. */
    resource_id: string | null;
  }>;
  /** The total number. */
  count: number;
}

export interface SandboxPayment {
  status: 'succeeded' | 'declined' | 'processing' | 'requires_action' | 'canceled' | 'unknown';
  /** Why the payment was declined. */
  decline_code: string | null;
}

export interface SandboxPaymentMethod {
  /** Use it once as `payment_method_id`, in any organization. */
  id: string;
  type: 'card';
  card: {
    brand: string;
    last4: string;
    exp_month: number;
    exp_year: number;
  };
}

export type Scope = 
  | 'read:profile'
  | 'write:profile'
  | 'read:projects'
  | 'write:projects'
  | 'read:org'
  | 'admin:org'
  | 'read:licenses'
  | 'manage:licenses';

export interface SeatExplanation {
  /** Whether the user could get a seat on another machine now. */
  can_acquire: boolean;
  /** Why the user cannot get a seat. An acquire returns the first reason. Empty if can_acquire is true. */
  reasons: RefusalReason[];
  user: ExplainedUser;
  license: ExplainedLicense;
  /** The user's active sessions of the license. An acquire on one of their machines returns its existing session. */
  sessions: LicenseSession[];
  /** The last 20 refusals of this user by the license, newest first. */
  refusals: ExplainedRefusal[];
}

export interface SeatRefusal {
  id: string;
  /** The error code that the acquires returned. */
  code:
    | 'no_seats_available'
    | 'license_expired'
    | 'license_suspended'
    | 'license_revoked'
    | 'user_not_allowed'
    | 'offline_not_allowed';
  activation_id?: string;
  /**
   * Null for an activated machine, and if so many users and machines were refused in this minute that they are not
   * listed individually.
   */
  user_id: string | null;
  /** The machine. Null if more machines were refused in this minute than are listed individually. */
  hardware_id: string | null;
  /** How many acquires were refused. */
  count: number;
  first_at: string;
  /** The time of the last refusal, in the same minute as first_at. */
  last_at: string;
  /** The number of seats in use at the last of these refusals. */
  active_seats: number;
  /** The number of seats of the license at the last of these refusals. */
  max_seats: number;
  /** The user. Only admins get this field. Null if the user is no longer a member. */
  user?: NamedUser | null;
}

export interface SeatWait {
  wait_id: string;
  status: 'waiting' | 'granted' | 'expired' | 'canceled';
  /** The place in the waiting list. 1 is next. */
  position?: number;
  /** If you poll without `timeout`, send the next request within this many seconds. */
  poll_after_seconds?: number;
  /** Why the wait was canceled, for example `license_suspended`. */
  reason?: string;
  session_id?: string;
  /** A JWT signed with RS256. Verify it offline with the public key. */
  license_token?: string;
  /** When the wait ends. Once a seat is granted, when the license token expires. */
  expires_at?: string;
  /** Seconds between heartbeats. */
  heartbeat_interval?: number;
  features?: LicenseFeatures;
  /** The time until which the seat needs no heartbeat. The seat is then freed. */
  offline_until?: string;
}

export interface SessionTokens {
  access_token: string;
  refresh_token: string;
  /** When the access token expires. */
  expires_at: string;
}

export interface StaffMember {
  user_id: string;
  email: string;
  name: string;
  /**
   * `viewer` can see everything. `support` can also manage seats, licenses, members, projects, and webhooks. `finance`
   * can also manage subscriptions, invoices, and payments. `owner` can do everything.
   */
  role: 'viewer' | 'support' | 'finance' | 'owner';
  /** The role takes effect only for logins with two-factor authentication. */
  two_factor_enabled: boolean;
  created_at: string;
  /** The ID of the user or operator token that added them. Null for a command run on the server. */
  created_by: string | null;
}

export interface Subscription {
  id: string;
  status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
  plan: PlanSummary;
  /** The number of seats. */
  quantity: number;
  current_period_start: string;
  current_period_end: string;
  cancel_at_period_end: boolean;
  created_at: string;
  /** When the cancellation was requested. Null if it was not. */
  canceled_at: string | null;
  /** When the subscription ended. Null while it is live. */
  ended_at: string | null;
  coupon: AppliedCoupon | null;
  latest_invoice_id: string | null;
  /** The license of the subscription. Null until the first payment. */
  license_id: string | null;
  /** Whether the customer must authenticate a payment. */
  requires_action: boolean;
  /** A change that takes effect when it is paid. Null if there is none. */
  pending_change: PendingChange | null;
}

export interface SuspendOperatorLicenseBody {
  /** The reason, shown in the organization's audit log. */
  reason: string;
}

export interface TestWebhookBody {
  /** Any event type, even one that the endpoint is not subscribed to. */
  type: string;
}

export interface TwoFactorDisabled {
  status: 'disabled';
}

export interface TwoFactorRequired {
  status: 'two_factor_required';
  /** Always true. */
  requires_2fa: boolean;
  /** For POST /v1/auth/2fa/verify. Expires after 5 minutes or 5 attempts. */
  challenge_token: string;
  method: 'totp';
}

export interface TwoFactorSetup {
  /** The secret in Base32, to enter in an authenticator app. */
  secret: string;
  /** The secret as a URL, to show as a QR code. */
  otpauth_url: string;
}

export interface UpdateMeBody {
  name?: string;
  /** The https URL of a picture. Null removes it and shows the default picture. */
  avatar_url?: string | null;
  /** Must not be a common password, the user's name, or the email address. */
  password?: string;
  current_password?: string;
}

export interface UpdateOauthAppBody {
  name?: string;
  /**
   * Where the browser can be redirected to, compared character by character. Use https, http for 127.0.0.1, [::1], and
   * localhost, or, for public apps, a custom scheme such as com.example.app:/callback. At least one, unless
   * `device_flow` is true.
   */
  redirect_uris?: string[];
  /** Without duplicates. */
  scopes?: Scope[];
  /**
   * Whether the app may use the device flow (RFC 8628), for programs without a browser. Turn it on only for apps that
   * need it.
   */
  device_flow?: boolean;
}

export interface UpdateOrganizationBody {
  name?: string;
  /** Lowercase letters and digits, separated by single hyphens. Unique across all organizations. */
  slug?: string;
  /** Fields that you omit stay unchanged. Null clears a field, or all of them. */
  billing_details?: BillingDetailsInput | null;
}

export interface UpdateProjectBody {
  name?: string;
  /** Lowercase letters and digits, separated by hyphens. Unique within the organization. */
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
  /** An https URL without credentials or fragment that resolves to public IP addresses. */
  url?: string;
  /**
   * Event types, groups such as `license.*` or `license.seat.*`, or `*` for all events, including future ones.
   * Duplicates are ignored.
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
  /**
   * The current period of the oldest subscription that is active or past due. If there is none, the calendar month in
   * UTC.
   */
  period_start: string;
  /** The end of the period (exclusive). */
  period_end: string;
  seats: {
    /** The sum of `max_seats` of all licenses that can be used now. */
    included: number;
    /** The seats in use now, across all licenses. */
    used: number;
    /** The highest number of seats in use at one moment of the period. */
    peak: number;
  };
  ai_tokens: {
    /** Included per period by the plans of active and past-due subscriptions, not per seat. */
    included: number;
    used: number;
  };
  storage_gb: {
    /** Included per period by the plans of active and past-due subscriptions, not per seat. */
    included: number;
    used: number;
  };
  /** Other meters of the catalogue, by name. */
  meters: Record<string, {
    /** Included per period by the plans of active and past-due subscriptions, not per seat. */
    included: number;
    used: number;
  }>;
}

export interface User {
  id: string;
  email: string;
  name: string;
  /** The user's picture, or a default picture if they have none. */
  avatar_url: string;
  created_at: string;
  /** Whether the user has verified the email address. */
  email_verified: boolean;
  /** Whether two-factor authentication is on. */
  two_factor_enabled: boolean;
  organization: {
    id: string;
    name: string;
    role: 'member' | 'billing' | 'admin';
  };
  /**
   * The user's role among the vendor's staff. Null for everyone else. It takes effect only for logins with two-factor
   * authentication.
   */
  staff: {
    role: 'viewer' | 'support' | 'finance' | 'owner';
  } | null;
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
  /** The code from the email. */
  token: string;
}

export interface VerifyTwoFactorBody {
  challenge_token: string;
  /**
   * Six digits from the authenticator app, or a recovery code. The hyphen and the letter case of a recovery code are
   * ignored.
   */
  code: string;
}

export interface WebhookAttempt {
  number: number;
  /** When the attempt began. */
  at: string;
  duration_ms: number;
  /** The HTTP status of the response. Null if there was none. */
  status_code: number | null;
  /**
   * Why the attempt failed: http_status, redirect, dns_error, forbidden_address, connect_timeout, connection_refused,
   * connection_reset, network_unreachable, tls_error, timeout, invalid_response, event_expired, or signing_error. The
   * last two are errors on our side. Null if the attempt succeeded.
   */
  error: string | null;
  /** The first 4 KiB of the response body. */
  response_excerpt: string | null;
  /** The IP address that the attempt connected to. Null if it was never resolved. */
  address: string | null;
  /** What triggered the attempt: the schedule, POST …/retry, POST …/test, or a replay. */
  trigger: 'scheduled' | 'manual' | 'test' | 'replay';
}

export interface WebhookDelivery {
  /** The value of the X-Service-Delivery header in each attempt. */
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  /**
   * `pending`: an attempt is scheduled or in progress. `succeeded`: the endpoint returned a 2xx status. `failed`: all
   * scheduled attempts failed. `held`: the endpoint was paused or disabled; retry or replay the delivery.
   */
  status: 'pending' | 'succeeded' | 'failed' | 'held';
  /** The number of completed attempts. */
  attempt_count: number;
  /** The HTTP status of the response. Null if there was none. */
  last_status_code: number | null;
  /**
   * Why the attempt failed: http_status, redirect, dns_error, forbidden_address, connect_timeout, connection_refused,
   * connection_reset, network_unreachable, tls_error, timeout, invalid_response, event_expired, or signing_error. The
   * last two are errors on our side. Null if the attempt succeeded.
   */
  last_error: string | null;
  last_attempt_at: string | null;
  /** When the next scheduled attempt is due. */
  next_attempt_at: string | null;
  /** When the event was created. */
  created_at: string;
  /** Whether it is a test event from POST /v1/webhooks/{webhook_id}/test. */
  is_test: boolean;
  /**
   * The value of the X-Service-Sequence header in each attempt: the deliveries of an endpoint are numbered 1, 2, 3, …
   * without gaps. Null for deliveries created before numbering was introduced.
   */
  sequence: number | null;
}

export interface WebhookDeliveryDetail {
  /** The value of the X-Service-Delivery header in each attempt. */
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  /**
   * `pending`: an attempt is scheduled or in progress. `succeeded`: the endpoint returned a 2xx status. `failed`: all
   * scheduled attempts failed. `held`: the endpoint was paused or disabled; retry or replay the delivery.
   */
  status: 'pending' | 'succeeded' | 'failed' | 'held';
  /** The number of completed attempts. */
  attempt_count: number;
  /** The HTTP status of the response. Null if there was none. */
  last_status_code: number | null;
  /**
   * Why the attempt failed: http_status, redirect, dns_error, forbidden_address, connect_timeout, connection_refused,
   * connection_reset, network_unreachable, tls_error, timeout, invalid_response, event_expired, or signing_error. The
   * last two are errors on our side. Null if the attempt succeeded.
   */
  last_error: string | null;
  last_attempt_at: string | null;
  /** When the next scheduled attempt is due. */
  next_attempt_at: string | null;
  /** When the event was created. */
  created_at: string;
  /** Whether it is a test event from POST /v1/webhooks/{webhook_id}/test. */
  is_test: boolean;
  /**
   * The value of the X-Service-Sequence header in each attempt: the deliveries of an endpoint are numbered 1, 2, 3, …
   * without gaps. Null for deliveries created before numbering was introduced.
   */
  sequence: number | null;
  /** The attempts, oldest first. If there are more than 100, the newest 100. */
  attempts: WebhookAttempt[];
  /** The event as it is sent. Null if it is no longer kept. */
  event: Event | null;
}

export interface WebhookEndpoint {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  /**
   * `paused`: paused by you. `disabled`: disabled by the service because all attempts failed for days. In both cases,
   * events are held.
   */
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
  /**
   * `paused`: paused by you. `disabled`: disabled by the service because all attempts failed for days. In both cases,
   * events are held.
   */
  status: 'active' | 'paused' | 'disabled';
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
  /** When the previous secrets stop signing. Null if only the current secret signs. */
  previous_secret_expires_at: string | null;
  statistics: WebhookEndpointStatistics;
}

export interface WebhookEndpointStatistics {
  /**
   * The number of attempts in the last 7 days, at most the last 1,000. The other values are based on these attempts.
   */
  attempts: number;
  succeeded: number;
  failed: number;
  /** From 0 to 1. Null if there are no attempts. */
  success_rate: number | null;
  /** The 95th percentile of attempt durations. Null if there are no attempts. */
  p95_duration_ms: number | null;
  last_failure: LastFailure | null;
}

export interface WebhookPortalLink {
  /** Open it in a browser, or in a frame. It works once. The part after # is a secret. */
  url: string;
  expires_at: string;
}

export interface WebhookPortalSession {
  /** A bearer token for the webhooks of the organization. */
  access_token: string;
  expires_at: string;
  organization_id: string;
}

export interface WebhookReplay {
  /** Null in a dry run. */
  id: string | null;
  webhook_id: string;
  /**
   * Also `running` while the endpoint is paused or disabled; the replay continues when the endpoint is active again.
   */
  status: 'running' | 'completed' | 'canceled' | 'dry_run';
  since: string;
  until: string;
  only_failed: boolean;
  /**
   * The number of matching deliveries when the replay was created, counted up to 1,000,000. The replay includes all of
   * them.
   */
  total: number;
  /**
   * The number of deliveries that were replayed so far. Deliveries that succeeded or were deleted in the meantime are
   * skipped, so the final number can be lower than `total`.
   */
  replayed: number;
  created_at: string;
  /**
   * When the last delivery was attempted (or, if the endpoint keeps failing, had failed twice), or when the replay was
   * canceled.
   */
  completed_at: string | null;
}

/** Every error code, its status and the shape of its details. */
export interface ApiErrors {
  /** The license is already activated on as many machines as its policy allows. */
  activation_limit_reached: {
    status: 409;
    details: {
      max_activations: number;
    };
  };
  /** A resource with the same unique value already exists. */
  already_exists: {
    status: 409;
    details: {
      field: string;
    };
  };
  /** The current state of the resource does not allow this operation. */
  conflict: {
    status: 409;
  };
  /** The role is not sufficient, or the endpoint requires a different kind of token. */
  forbidden: {
    status: 403;
    details: {
      required_role?: string;
      required_token?: string;
    };
  };
  /** The request line and headers are larger than 16 KiB. */
  headers_too_large: {
    status: 431;
  };
  /** The request was sent over plain HTTP. */
  https_required: {
    status: 403;
  };
  /** The first request with this Idempotency-Key is still in progress. */
  idempotency_in_progress: {
    status: 409;
  };
  /** The Idempotency-Key was already used for a different request. */
  idempotency_key_reused: {
    status: 422;
  };
  /** The token does not have a required scope. The message names the scope. */
  insufficient_scope: {
    status: 403;
    details: {
      required_scope: string;
    };
  };
  /** Something went wrong on our side. Use the request ID to find the error in the log. */
  internal_error: {
    status: 500;
  };
  /** The email address, password, or code is incorrect, or the account is locked. */
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
  /** The JSON is malformed, or a field or query parameter is missing, unknown, out of range, or of the wrong type. */
  invalid_request: {
    status: 400;
    details: {
      field: string;
      reason: 'required' | 'type' | 'format' | 'min' | 'max' | 'length' | 'enum' | 'unknown' | 'malformed';
    };
  };
  /** The token is missing, unknown, or revoked, or it belongs to the other environment. */
  invalid_token: {
    status: 401;
  };
  /** The license has expired. */
  license_expired: {
    status: 403;
    details: {
      expired_at: string;
    };
  };
  /** The license was revoked by the operator. */
  license_revoked: {
    status: 403;
  };
  /** The license was suspended by the operator. */
  license_suspended: {
    status: 403;
  };
  /** All seats of the license are in use. */
  no_seats_available: {
    status: 409;
    details: {
      max_seats: number;
      active_seats: number;
    };
  };
  /** The resource does not exist in this organization, or the path is unknown. */
  not_found: {
    status: 404;
    details: {
      resource: string;
    };
  };
  /** The license's policy does not allow a seat to be offline for that long, or allows no more offline seats. */
  offline_not_allowed: {
    status: 403;
    details: {
      max_offline_seconds: number;
      available_offline_seats: number;
    };
  };
  /**
   * The organization is suspended. It can still read its profile, subscriptions, invoices, and payment methods, and
   * pay.
   */
  organization_suspended: {
    status: 403;
  };
  /** The body is larger than 256 KiB. */
  payload_too_large: {
    status: 413;
    details: {
      max_bytes: number;
    };
  };
  /** The card was declined. Nothing was purchased or changed. */
  payment_failed: {
    status: 422;
    details: {
      /** The decline code from the payment provider. */
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
  /** A rate limit was exceeded. Wait for the time in Retry-After. */
  rate_limit_exceeded: {
    status: 429;
    details: {
      limit: number;
      reset_at: string;
      retry_after: number;
    };
  };
  /** The request timed out before it was fully received. */
  request_timeout: {
    status: 408;
  };
  /** The database is unavailable, or the server is shutting down. Wait for the time in Retry-After. */
  service_unavailable: {
    status: 503;
  };
  /** The session was already released. */
  session_released: {
    status: 409;
    details: {
      released_at: string;
    };
  };
  /** The session timed out because it missed its heartbeats, and its seat was freed. */
  session_timeout: {
    status: 409;
    details: {
      last_heartbeat: string;
      timeout_at: string;
    };
  };
  /** The token has expired. */
  token_expired: {
    status: 401;
    details: {
      expired_at: string;
    };
  };
  /** A staff role takes effect only for logins with two-factor authentication. */
  two_factor_required: {
    status: 403;
  };
  /** The Content-Type of the body is not application/json, or the body is compressed. */
  unsupported_media_type: {
    status: 415;
  };
  /** The user is not in the license's allowed_users. */
  user_not_allowed: {
    status: 403;
  };
  /** The request is well-formed, but a business rule rejects it. */
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
export type TokenErrorCode =
  | 'forbidden'
  | 'insufficient_scope'
  | 'invalid_token'
  | 'not_found'
  | 'token_expired'
  | 'two_factor_required';

/** Every operation: how it is called, what it takes, what `data` it answers, and with which codes it refuses. */
export interface Operations {
  /**
   * Register a user. Creates a user and an organization named after them, makes the user its admin, and logs them in.
   * With the header X-Session-Transport: cookie, the response contains no tokens and sets the cookie __Host-seathold.
   * The API accepts it from pages of its own origin only. No authentication required.
   */
  register: {
    method: 'POST';
    path: '/v1/auth/register';
    body: RegisterBody;
    data: CompletedLogin;
    errors:
      | CommonErrorCode
      | 'forbidden'
      | 'already_exists'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Log in. With the header X-Session-Transport: cookie, the session is a cookie instead of tokens; see POST
   * /v1/auth/register. If two-factor authentication is on, the response contains a challenge for POST
   * /v1/auth/2fa/verify instead of tokens. Ten incorrect passwords or codes in a row lock the account for 15 minutes;
   * while it is locked, the correct password is rejected too. After five, each further attempt is delayed by up to two
   * seconds. No authentication required.
   */
  login: {
    method: 'POST';
    path: '/v1/auth/login';
    body: LoginBody;
    data: LoginAnswer;
    errors: CommonErrorCode | 'invalid_credentials' | 'payload_too_large' | 'unsupported_media_type';
  };

  /**
   * Refresh an access token. A refresh token works once. If the response is lost, the same token returns the identical
   * response for 10 more seconds. If it is used after that, the whole session ends. No authentication required.
   */
  refresh: {
    method: 'POST';
    path: '/v1/auth/refresh';
    body: RefreshBody;
    data: SessionTokens;
    errors: CommonErrorCode | 'invalid_token' | 'payload_too_large' | 'unsupported_media_type';
  };

  /**
   * Log out. Immediately ends the session: its access tokens and refresh tokens, or its cookie, stop working. The
   * cookie is removed. Requires role `member` or higher, and a session token.
   */
  logout: {
    method: 'POST';
    path: '/v1/auth/logout';
    data: LoggedOut;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Complete a two-factor login. A challenge expires after 5 minutes or 5 attempts. Each code works once. A recovery
   * code is accepted in place of a code. No authentication required.
   */
  verifyTwoFactor: {
    method: 'POST';
    path: '/v1/auth/2fa/verify';
    body: VerifyTwoFactorBody;
    data: CompletedLogin;
    errors:
      | CommonErrorCode
      | 'invalid_token'
      | 'token_expired'
      | 'invalid_credentials'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Set up two-factor authentication. Creates a TOTP secret (SHA-1, 6 digits, 30 seconds). Two-factor authentication
   * stays off until you enable it. Calling this again before then creates a new secret. Requires scope `write:profile`,
   * role `member` or higher, and a session token.
   */
  setUpTwoFactor: {
    method: 'POST';
    path: '/v1/auth/2fa/setup';
    data: TwoFactorSetup;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Turn on two-factor authentication. Send a code to confirm that your authenticator app has the secret. Returns ten
   * recovery codes, which are shown only once. Requires scope `write:profile`, role `member` or higher, and a session
   * token.
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
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Turn off two-factor authentication. Requires the password and a code or recovery code. Pending challenges and
   * recovery codes become invalid. Requires scope `write:profile`, role `member` or higher, and a session token.
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
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Regenerate recovery codes. Requires the password and a code or recovery code. Returns ten new recovery codes, which
   * are shown only once. The old ones stop working. Requires scope `write:profile`, role `member` or higher, and a
   * session token.
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
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Get the authenticated user. Returns the user, the organization that the request acts in, and the user's role there.
   * Same as GET /v1/me. Requires scope `read:profile`, role `member` or higher.
   */
  getCurrentUser: {
    method: 'GET';
    path: '/v1/auth/me';
    data: User;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Get your profile. Returns the user, the organization that the request acts in, and the user's role there. Requires
   * scope `read:profile`, role `member` or higher.
   */
  getMe: {
    method: 'GET';
    path: '/v1/me';
    data: User;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Update your profile or password. Fields that you omit stay unchanged. To set a new password, send the current one
   * as well. A new password ends all your other sessions and disconnects all apps; API tokens keep working. An
   * incorrect current password counts as a failed login. Requires scope `write:profile`, role `member` or higher, and a
   * session token.
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
      | 'organization_suspended'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Delete your account. This cannot be undone. All your tokens are revoked immediately, and your email address can
   * register again. You leave all your organizations; any organization with no other members is deleted. If you are the
   * last admin of an organization with other members or a live subscription, you get `conflict`. An incorrect password
   * or code counts as a failed login. The rest of your personal data is erased within 24 hours. Invoices are kept, as
   * required by law. Requires scope `write:profile`, role `member` or higher, and a session token.
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
      | 'organization_suspended'
      | 'conflict'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Request a password reset. Emails a token for POST /v1/auth/password/reset if an account with this address exists.
   * The response is the same in both cases. No authentication required.
   */
  forgotPassword: {
    method: 'POST';
    path: '/v1/auth/password/forgot';
    body: ForgotPasswordBody;
    data: ResetAccepted;
    errors: CommonErrorCode | 'payload_too_large' | 'unsupported_media_type';
  };

  /**
   * Reset a password. Takes the token from the email. It expires after one hour and works once. All of the user's
   * sessions end, all connected apps are disconnected, the account is unlocked, and the email address counts as
   * verified. If it was not verified before, someone else may have registered with it, so the user's API tokens are
   * revoked and the OAuth apps they registered are deleted. Two-factor authentication stays on. No authentication
   * required.
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
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Verify an email address. Takes the token from the email. It expires after seven days and works once. No
   * authentication required.
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
   * Resend the verification email. We send at most five of these emails an hour. Requires scope `write:profile`, role
   * `member` or higher, and a session token.
   */
  sendEmailVerification: {
    method: 'POST';
    path: '/v1/auth/email/verification';
    data: VerificationSent;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List your sessions. Lists your active sessions on all devices, including the current one and browser sessions at
   * the authorization server. Requires scope `write:profile`, role `member` or higher, and a session token.
   */
  listSessions: {
    method: 'GET';
    path: '/v1/auth/sessions';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: OwnLogin[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * End a session. Its access and refresh tokens stop working immediately. You can end the current session. A browser
   * must log in again; apps stay connected. Requires scope `write:profile`, role `member` or higher, and a session
   * token.
   */
  deleteSession: {
    method: 'DELETE';
    path: '/v1/auth/sessions/{id}';
    params: {
      id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Export your account data. Returns all data that we keep about you, without secrets and without other people's data.
   * Sections are returned in pages of 2,000 items: pass `cursor` until `next_cursor` is null. Completed sections are
   * omitted from the next page. Requires scope `read:profile`, role `member` or higher, and a session token.
   */
  exportMe: {
    method: 'GET';
    path: '/v1/me/export';
    query: {
      cursor?: string;
    };
    data: AccountExport;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Create an API token. Creates a long-lived token for servers, the command line, and CI. It acts in the organization
   * of this request with the given scopes, and never exceeds the current role of its owner. We email the owner 7 days
   * and 1 day before it expires, and when it is 90 days old and should be rotated. Requires scope `write:profile`, role
   * `member` or higher, and a session token.
   */
  createApiToken: {
    method: 'POST';
    path: '/v1/api-tokens';
    body: CreateApiTokenBody;
    data: CreatedApiToken;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List API tokens. Lists the tokens that you created in this organization, including expired ones. Secrets are never
   * returned. Requires scope `write:profile`, role `member` or higher, and a session token.
   */
  listApiTokens: {
    method: 'GET';
    path: '/v1/api-tokens';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Filter by `status`. */
      status?: 'active' | 'expired';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: ApiToken[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Get an API token. Returns a token that you created in this organization. The secret is never returned. Requires
   * scope `write:profile`, role `member` or higher, and a session token.
   */
  getApiToken: {
    method: 'GET';
    path: '/v1/api-tokens/{id}';
    params: {
      id: string;
    };
    data: ApiToken;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Revoke an API token. The token stops working immediately. Requires scope `write:profile`, role `member` or higher,
   * and a session token.
   */
  deleteApiToken: {
    method: 'DELETE';
    path: '/v1/api-tokens/{id}';
    params: {
      id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Rotate an API token. Creates a new token with the same name and scopes to replace this one. The old token keeps
   * working during the overlap. A token can be rotated only once. Requires scope `write:profile`, role `member` or
   * higher, and a session token.
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
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List users. Lists the users of all organizations. `query` matches an ID, or the start of an email address or a
   * name, ignoring case. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  listOperatedUsers: {
    method: 'GET';
    path: '/v1/operator/users';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'email' | '-email';
      /** Filter by `query`. */
      query?: string;
      /** Filter by `is_locked`. */
      is_locked?: 'true' | 'false';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: OperatedUser[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Get a user. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor authentication.
   */
  getOperatedUser: {
    method: 'GET';
    path: '/v1/operator/users/{user_id}';
    params: {
      user_id: string;
    };
    data: OperatedUser;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Unlock a user. Unlocks an account that was locked after too many incorrect passwords or codes. For staff members,
   * the role `owner` is required. Requires staff role `support`. Use an operator token, or a staff login with
   * two-factor authentication.
   */
  unlockOperatedUser: {
    method: 'POST';
    path: '/v1/operator/users/{user_id}/unlock';
    params: {
      user_id: string;
    };
    data: OperatedUser;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Turn off a user's two-factor authentication. For a user who lost their device and recovery codes. Verify their
   * identity first. The user is notified by email. For staff members, the role `owner` is required. Requires staff role
   * `support`. Use an operator token, or a staff login with two-factor authentication.
   */
  disableTwoFactorOfOperatedUser: {
    method: 'POST';
    path: '/v1/operator/users/{user_id}/disable-two-factor';
    params: {
      user_id: string;
    };
    data: OperatedUser;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List staff. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor authentication.
   */
  listStaff: {
    method: 'GET';
    path: '/v1/operator/staff';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'email' | '-email' | 'name' | '-name';
      /** Filter by `role`. */
      role?: 'viewer' | 'support' | 'finance' | 'owner';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: StaffMember[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Add a staff member. A person who has an account gets the role immediately. Anyone else gets a one-time link by
   * email, valid for 30 minutes, to set a password and two-factor authentication. Send the same request again to email
   * a new link. Requires staff role `owner`. Use an operator token, or a staff login with two-factor authentication.
   */
  addStaffMember: {
    method: 'POST';
    path: '/v1/operator/staff';
    body: AddStaffMemberBody;
    data: StaffMember;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'already_exists'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Change a staff member's role. Takes effect with their next request. The last owner's role cannot be changed.
   * Requires staff role `owner`. Use an operator token, or a staff login with two-factor authentication.
   */
  changeStaffRole: {
    method: 'PATCH';
    path: '/v1/operator/staff/{user_id}';
    params: {
      user_id: string;
    };
    body: ChangeStaffRoleBody;
    data: StaffMember;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Remove a staff member. Takes effect with their next request. The person keeps their account and organizations. The
   * last owner cannot be removed. Requires staff role `owner`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  removeStaffMember: {
    method: 'DELETE';
    path: '/v1/operator/staff/{user_id}';
    params: {
      user_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'conflict';
  };

  /**
   * List operator tokens. Includes revoked and expired tokens while they are retained. The tokens themselves are never
   * returned. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor authentication.
   */
  listOperatorTokens: {
    method: 'GET';
    path: '/v1/operator/tokens';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Filter by `role`. */
      role?: 'viewer' | 'support' | 'finance' | 'owner';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: OperatorToken[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Create an operator token. Creates a token for one of your own programs. The token is shown only once. Requires
   * staff role `owner`. Use an operator token, or a staff login with two-factor authentication.
   */
  createOperatorToken: {
    method: 'POST';
    path: '/v1/operator/tokens';
    body: CreateOperatorTokenBody;
    data: CreatedOperatorToken;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Revoke an operator token. It stops working immediately. Requires staff role `owner`. Use an operator token, or a
   * staff login with two-factor authentication.
   */
  revokeOperatorToken: {
    method: 'DELETE';
    path: '/v1/operator/tokens/{id}';
    params: {
      id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Create a portal link. Creates a link to the webhooks screens of the organization, for people who have no login
   * here. It is valid for 15 minutes and opens one session of an hour, which can use the organization's webhooks and
   * nothing else. The session ends when the user who created the link is no longer an admin. To show the screens in a
   * frame, allow your origin in SEATHOLD_PORTAL_ANCESTORS. Requires scope `admin:org`, role `admin` or higher.
   */
  createWebhookPortalLink: {
    method: 'POST';
    path: '/v1/webhooks/portal-links';
    data: WebhookPortalLink;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Exchange a portal link. Returns the token of the session that a portal link opens. The page behind the link calls
   * this. A link can be exchanged once. No authentication required.
   */
  exchangeWebhookPortalLink: {
    method: 'POST';
    path: '/v1/webhooks/portal-links/exchange';
    body: ExchangeWebhookPortalLinkBody;
    data: WebhookPortalSession;
    errors:
      | CommonErrorCode
      | 'invalid_token'
      | 'token_expired'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Register an OAuth app. Registers an app that acts on behalf of users who authorize it. The organization owns the
   * app: admins can see and change all of its apps, other members only those that they created. An organization can
   * have at most 100 apps. Requires scope `write:profile`, role `member` or higher, and a session token.
   */
  createOauthApp: {
    method: 'POST';
    path: '/v1/oauth-apps';
    body: CreateOauthAppBody;
    data: OauthAppWithSecret;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List OAuth apps. Admins see all apps of the organization, other members only those that they created. Secrets are
   * never returned. Requires scope `write:profile`, role `member` or higher, and a session token.
   */
  listOauthApps: {
    method: 'GET';
    path: '/v1/oauth-apps';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Filter by `confidential`. */
      confidential?: boolean;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: OauthApp[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Get an OAuth app. Returns the app with its valid secrets, which are never shown. Admins can read all apps of the
   * organization, other members only those that they created. Requires scope `write:profile`, role `member` or higher,
   * and a session token.
   */
  getOauthApp: {
    method: 'GET';
    path: '/v1/oauth-apps/{id}';
    params: {
      id: string;
    };
    data: OauthApp;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Update an OAuth app. Fields that you omit stay unchanged. If you remove a scope, new tokens no longer include it.
   * If you add a scope, users must authorize it first. Requires scope `write:profile`, role `member` or higher, and a
   * session token.
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
      | 'organization_suspended'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Delete an OAuth app. Also revokes all authorizations that users gave to the app. Its tokens stop working
   * immediately. Requires scope `write:profile`, role `member` or higher, and a session token.
   */
  deleteOauthApp: {
    method: 'DELETE';
    path: '/v1/oauth-apps/{id}';
    params: {
      id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Rotate a client secret. The previous secret keeps working during the overlap, so that the app can switch without
   * downtime. Older secrets stop working immediately. Public apps have no secret. Requires scope `write:profile`, role
   * `member` or higher, and a session token.
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
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List connected apps. Lists the apps that you authorized, in all organizations, with the scopes of each. Requires
   * scope `write:profile`, role `member` or higher, and a session token.
   */
  listOauthGrants: {
    method: 'GET';
    path: '/v1/auth/grants';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: OauthGrant[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Disconnect an app. All tokens that the app holds for you in that organization stop working immediately. Requires
   * scope `write:profile`, role `member` or higher, and a session token.
   */
  deleteOauthGrant: {
    method: 'DELETE';
    path: '/v1/auth/grants/{id}';
    params: {
      id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * List organizations. With a session token: all organizations that you are a member of. With any other token: the
   * organization of the token. Requires scope `read:org`, role `member` or higher.
   */
  listOrganizations: {
    method: 'GET';
    path: '/v1/orgs';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Filter by `role`. */
      role?: 'member' | 'billing' | 'admin';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: Organization[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Create an organization. You become its admin. If you omit the slug, it is derived from the name. Requires role
   * `member` or higher, and a session token.
   */
  createOrganization: {
    method: 'POST';
    path: '/v1/orgs';
    body: CreateOrganizationBody;
    data: Organization;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'already_exists'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Get an organization. Returns the organization with your role in it. Billing details are included if your role
   * allows you to read invoices. Requires scope `read:org`, role `member` or higher. Staff who act for the organization
   * need role `viewer`.
   */
  getOrganization: {
    method: 'GET';
    path: '/v1/orgs/{organization_id}';
    params: {
      organization_id: string;
    };
    data: Organization;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Update an organization. Fields that you omit stay unchanged. New billing details apply to future invoices. Requires
   * scope `admin:org`, role `admin` or higher. Staff who act for the organization need role `support` or `finance`.
   */
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
      | 'organization_suspended'
      | 'already_exists'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Delete an organization. This cannot be undone and takes effect immediately for all members. Its API tokens, apps,
   * and invitations are revoked, and its licenses can no longer be used. Confirm by sending its name. Requires scope
   * `admin:org`, role `admin` or higher. Staff who act for the organization need role `owner`.
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
      | 'organization_suspended'
      | 'conflict'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List members. Lists the users of the organization with their roles. Requires scope `read:org`, role `member` or
   * higher. Staff who act for the organization need role `viewer`.
   */
  listMembers: {
    method: 'GET';
    path: '/v1/orgs/{organization_id}/members';
    params: {
      organization_id: string;
    };
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Filter by `role`. */
      role?: 'member' | 'billing' | 'admin';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: Member[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Change a member's role. Takes effect immediately, also for the member's API tokens. If the member is no longer an
   * admin, the pending invitations they sent are revoked. The last admin cannot be demoted. Requires scope `admin:org`,
   * role `admin` or higher. Staff who act for the organization need role `support`.
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
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Remove a member or leave. The member immediately loses access to the organization, and the pending invitations they
   * sent are revoked. The last admin cannot be removed and cannot leave. Requires scope `admin:org`, role `admin` or
   * higher. To leave yourself, a session token is enough. Staff who act for the organization need role `support`.
   */
  removeMember: {
    method: 'DELETE';
    path: '/v1/orgs/{organization_id}/members/{user_id}';
    params: {
      organization_id: string;
      user_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended' | 'conflict';
  };

  /**
   * Invite a member. Emails a code that is valid for 7 days. An organization can have at most 100 pending invitations.
   * A user can send at most 100 a day, and an address can receive at most 20 a day, across all organizations, including
   * revoked ones. Requires scope `admin:org`, role `admin` or higher. Staff who act for the organization need role
   * `support`.
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
      | 'organization_suspended'
      | 'already_exists'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List invitations. Lists invitations with any status. Tokens are never returned. Requires scope `admin:org`, role
   * `admin` or higher. Staff who act for the organization need role `viewer`.
   */
  listInvitations: {
    method: 'GET';
    path: '/v1/orgs/{organization_id}/invitations';
    params: {
      organization_id: string;
    };
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name' | 'email' | '-email';
      /** Filter by `status`. */
      status?: 'pending' | 'accepted' | 'expired' | 'revoked';
      /** Filter by `role`. */
      role?: 'member' | 'billing' | 'admin';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: Invitation[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Revoke an invitation. Only pending invitations can be revoked. If the invitation was accepted, remove the member
   * instead. Requires scope `admin:org`, role `admin` or higher. Staff who act for the organization need role
   * `support`.
   */
  revokeInvitation: {
    method: 'DELETE';
    path: '/v1/orgs/{organization_id}/invitations/{invitation_id}';
    params: {
      organization_id: string;
      invitation_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended' | 'conflict';
  };

  /**
   * Accept an invitation. Makes you a member. Your email address must be the one that was invited; accepting verifies
   * it. Requires role `member` or higher, and a session token.
   */
  acceptInvitation: {
    method: 'POST';
    path: '/v1/invitations/accept';
    body: AcceptInvitationBody;
    data: Organization;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List audit log entries. Shows who did what in the organization, and from which IP address. Entries cannot be
   * changed or deleted. Requires scope `admin:org`, role `admin` or higher. Staff who act for the organization need
   * role `viewer`.
   */
  listAuditLog: {
    method: 'GET';
    path: '/v1/audit-log';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Filter by `action`. */
      action?: string;
      /** Filter by `actor_user_id`. */
      actor_user_id?: string;
      /** Filter by `target_id`. */
      target_id?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: AuditLogEntry[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * List audit log entries across organizations. Shows who did what in every organization, and to the installation
   * itself (`organization_id=installation`). `actor` is the ID of a user or an operator token, or the email address of
   * a user. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor authentication.
   */
  listOperatorAuditLog: {
    method: 'GET';
    path: '/v1/operator/audit-log';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Filter by `organization_id`. */
      organization_id?: string;
      /** Filter by `actor`. */
      actor?: string;
      /** Filter by `actor_type`. */
      actor_type?: 'user' | 'staff' | 'operator' | 'operator_token' | 'unknown';
      /** Filter by `action`. */
      action?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: OperatorAuditLogEntry[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * List projects. Lists the projects of the organization, including archived ones. Requires scope `read:projects`,
   * role `member` or higher. Staff who act for the organization need role `viewer`.
   */
  listProjects: {
    method: 'GET';
    path: '/v1/projects';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name' | 'updated_at' | '-updated_at';
      /** Filter by `status`. */
      status?: 'active' | 'archived';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: Project[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Create a project. If you omit the slug, it is derived from the name. Requires scope `write:projects`, role `member`
   * or higher. Staff who act for the organization need role `support`.
   */
  createProject: {
    method: 'POST';
    path: '/v1/projects';
    body: CreateProjectBody;
    data: Project;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'already_exists'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Get a project. Returns an active or archived project. Requires scope `read:projects`, role `member` or higher.
   * Staff who act for the organization need role `viewer`.
   */
  getProject: {
    method: 'GET';
    path: '/v1/projects/{project_id}';
    params: {
      project_id: string;
    };
    data: Project;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Update a project. Set `status` to archive a project or to reactivate it. No seat can be acquired for an archived
   * project. Its existing sessions continue. Requires scope `write:projects`, role `member` or higher. Staff who act
   * for the organization need role `support`.
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
      | 'organization_suspended'
      | 'already_exists'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Delete a project. Its sessions continue and keep their metadata. Its usage can no longer be retrieved. Requires
   * scope `write:projects`, role `member` or higher. Staff who act for the organization need role `support`.
   */
  deleteProject: {
    method: 'DELETE';
    path: '/v1/projects/{project_id}';
    params: {
      project_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * List organizations. Lists all organizations. `query` matches an ID, a member's email address, a license key, or an
   * invoice number. Any other text matches the start of the name, ignoring case. Requires staff role `viewer`. Use an
   * operator token, or a staff login with two-factor authentication.
   */
  listOperatedOrganizations: {
    method: 'GET';
    path: '/v1/operator/organizations';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Filter by `query`. */
      query?: string;
      /** Filter by `status`. */
      status?: 'active' | 'suspended';
      /** Filter by `external_id`. */
      external_id?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: ListedOrganization[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Create an organization. Creates an organization for a customer and invites its first admin by email. Until they
   * accept, it has no members. You can already issue licenses to it and use the other endpoints with
   * `X-Organization-Id`. Requires staff role `support`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  createOperatedOrganization: {
    method: 'POST';
    path: '/v1/operator/organizations';
    body: CreateOperatedOrganizationBody;
    data: CreatedOrganization;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Get an organization. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  getOperatedOrganization: {
    method: 'GET';
    path: '/v1/operator/organizations/{id}';
    params: {
      id: string;
    };
    data: OperatedOrganization;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Suspend, reinstate, or annotate an organization. While an organization is suspended, its tokens get 403
   * `organization_suspended`, except to read the profile, subscriptions, invoices, and payment methods, to pay, and to
   * log out. Its licenses keep their own status. Only the role `owner` can change the status. Requires staff role
   * `support`. Use an operator token, or a staff login with two-factor authentication.
   */
  changeOperatedOrganization: {
    method: 'PATCH';
    path: '/v1/operator/organizations/{id}';
    params: {
      id: string;
    };
    body: ChangeOperatedOrganizationBody;
    data: OperatedOrganization;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Delete an organization. This cannot be undone. Its members, tokens, and programs lose access immediately. Its data
   * is erased in the background, except invoices and payments. Confirm by sending its name. Requires staff role
   * `owner`. Use an operator token, or a staff login with two-factor authentication.
   */
  deleteOperatedOrganization: {
    method: 'DELETE';
    path: '/v1/operator/organizations/{id}';
    params: {
      id: string;
    };
    body: DeleteOperatedOrganizationBody;
    data: OperatedDeletion;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List plans. Lists the plans that are available, cheapest first. A plan sold by contact has no price and is listed
   * last, or first with `sort=-price`. No authentication required.
   */
  listPlans: {
    method: 'GET';
    path: '/v1/plans';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'price' | '-price' | 'name' | '-name';
      /** Filter by `interval`. */
      interval?: 'month';
      /** Filter by `currency`. */
      currency?: string;
    };
    data: Plan[];
    isList: true;
    errors: CommonErrorCode;
  };

  /**
   * Get a plan. Also returns plans that are no longer available, because existing subscriptions keep them. No
   * authentication required.
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

  /**
   * Get the catalogue. Returns what is on sale as a catalogue file, with all defaults included. With `Accept:
   * application/yaml`, the response is the YAML file itself, without an envelope. Requires staff role `viewer`. Use an
   * operator token, or a staff login with two-factor authentication.
   */
  getOperatorCatalog: {
    method: 'GET';
    path: '/v1/operator/catalog';
    data: Catalogue;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Replace the catalogue. Makes the catalogue match the file, entirely or not at all, like `seathold catalog apply`,
   * and returns what changed. Plans and coupons that are not in the file are archived. `validation_failed` lists every
   * mistake in the file. `conflict` lists every change that is refused because something was already sold. The body is
   * the file as YAML or JSON. Requires staff role `owner`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  replaceOperatorCatalog: {
    method: 'PUT';
    path: '/v1/operator/catalog';
    query: {
      /** With `true`, nothing is written. Defaults to `false`. */
      dry_run?: 'true' | 'false';
    };
    body: Catalogue;
    data: CatalogueDifference;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List products. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  listProducts: {
    method: 'GET';
    path: '/v1/operator/products';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'key' | '-key' | 'name' | '-name';
    };
    data: Product[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Get a product. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  getProduct: {
    method: 'GET';
    path: '/v1/operator/products/{key}';
    params: {
      key: string;
    };
    data: Product;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Create or replace a product. From then on, its licenses and plans can have only these features. If you omit
   * `policy`, the product keeps its policy. Returns `conflict` if a license or an available plan uses a feature that
   * you remove, or whose type you change. Requires staff role `owner`. Use an operator token, or a staff login with
   * two-factor authentication.
   */
  replaceProduct: {
    method: 'PUT';
    path: '/v1/operator/products/{key}';
    params: {
      key: string;
    };
    body: ReplaceProductBody;
    data: Product;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List subscriptions. Lists the subscriptions of the organization, including those that have ended. Requires scope
   * `read:org`, role `billing` or higher. Staff who act for the organization need role `viewer`.
   */
  listSubscriptions: {
    method: 'GET';
    path: '/v1/subscriptions';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'current_period_end' | '-current_period_end';
      /** Filter by `status`. */
      status?: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
      /** Filter by `plan_id`. */
      plan_id?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: Subscription[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Create a subscription. Charges the first period. If the payment succeeds, the subscription is `active` and has a
   * license for that many seats. If the customer must authenticate the payment, the subscription is `incomplete` until
   * they do, for at most 23 hours. If the card is declined, you get `payment_failed` and nothing is created. Requires
   * scope `admin:org`, role `billing` or higher. Staff who act for the organization need role `finance`.
   */
  createSubscription: {
    method: 'POST';
    path: '/v1/subscriptions';
    body: CreateSubscriptionBody;
    data: CreatedSubscription;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payment_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Get a subscription. Requires scope `read:org`, role `billing` or higher. Staff who act for the organization need
   * role `viewer`.
   */
  getSubscription: {
    method: 'GET';
    path: '/v1/subscriptions/{subscription_id}';
    params: {
      subscription_id: string;
    };
    data: Subscription;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Update a subscription. Changes the number of seats or the plan. An upgrade is prorated to the second and charged
   * immediately; it takes effect when the payment succeeds. If the customer must authenticate the payment, the change
   * waits in `pending_change`. A downgrade takes effect immediately, and the difference becomes credit for the next
   * invoices. Requires scope `admin:org`, role `billing` or higher. Staff who act for the organization need role
   * `finance`.
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
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payment_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Preview an order. Shows what a new subscription would cost for its first period, with the discount of the coupon
   * and the credit that would be used. Returns the same errors that the order itself would. Nothing is created or
   * charged, and the coupon is not redeemed. Requires scope `read:org`, role `billing` or higher. Staff who act for the
   * organization need role `viewer`.
   */
  getOrderPreview: {
    method: 'GET';
    path: '/v1/subscriptions/preview';
    query: {
      plan_id: string;
      /** The number of seats. */
      quantity: number;
      coupon_code?: string;
    };
    data: OrderPreview;
    errors: CommonErrorCode | TokenErrorCode | 'conflict' | 'validation_failed';
  };

  /**
   * Preview a change. Shows what a change would cost, prorated to the second for the rest of the period. Provide
   * `quantity`, `plan_id`, or both. Nothing is changed or charged. Requires scope `read:org`, role `billing` or higher.
   * Staff who act for the organization need role `viewer`.
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
    errors: CommonErrorCode | TokenErrorCode | 'conflict' | 'validation_failed';
  };

  /**
   * Cancel a subscription. Cancels at the end of the current period, or immediately without a refund. An incomplete or
   * past-due subscription always ends immediately, and its open invoice is voided. Requires scope `admin:org`, role
   * `billing` or higher. Staff who act for the organization need role `finance`.
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
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Resume a subscription. Undoes a cancellation. This is possible until the current period ends. Requires scope
   * `admin:org`, role `billing` or higher. Staff who act for the organization need role `finance`.
   */
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
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List payment methods. Lists the attached payment methods. Full card numbers are never stored or returned. Requires
   * scope `read:org`, role `billing` or higher. Staff who act for the organization need role `viewer`.
   */
  listPaymentMethods: {
    method: 'GET';
    path: '/v1/payment-methods';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Filter by `type`. */
      type?: 'card';
      /** Filter by `is_default`. */
      is_default?: boolean;
    };
    data: PaymentMethod[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Attach a payment method. Takes the ID that the payment provider created for the card in the browser, so card
   * numbers never reach this service. The first payment method becomes the default. If you set a new default, past-due
   * invoices are charged to it immediately. A payment method that is already attached is returned unchanged. Requires
   * scope `admin:org`, role `billing` or higher. Staff who act for the organization need role `finance`.
   */
  attachPaymentMethod: {
    method: 'POST';
    path: '/v1/payment-methods';
    body: AttachPaymentMethodBody;
    data: PaymentMethod;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payment_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Delete a payment method. If it was the default, the newest remaining payment method becomes the default. You cannot
   * delete the only payment method while a subscription is live, or one with a payment in progress. A deleted payment
   * method cannot be attached again. Requires scope `admin:org`, role `billing` or higher. Staff who act for the
   * organization need role `finance`.
   */
  deletePaymentMethod: {
    method: 'DELETE';
    path: '/v1/payment-methods/{payment_method_id}';
    params: {
      payment_method_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'conflict' | 'payment_method_in_use';
  };

  /**
   * List invoices. Sort by `number` for the order in which they were issued. Requires scope `read:org`, role `billing`
   * or higher. Staff who act for the organization need role `viewer`.
   */
  listInvoices: {
    method: 'GET';
    path: '/v1/invoices';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'number' | '-number' | 'amount_due' | '-amount_due';
      /** Filter by `status`. */
      status?: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
      /** Filter by `subscription_id`. */
      subscription_id?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: Invoice[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Get an invoice. Returns an invoice with its lines. Its amounts never change. Requires scope `read:org`, role
   * `billing` or higher. Staff who act for the organization need role `viewer`.
   */
  getInvoice: {
    method: 'GET';
    path: '/v1/invoices/{invoice_id}';
    params: {
      invoice_id: string;
    };
    data: Invoice;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Download an invoice PDF. Returns the file without an envelope. Once the invoice is paid, void, or uncollectible,
   * the PDF never changes, and its ETag is the SHA-256 hash of the file. The PDF of an open invoice is marked as open
   * and is not stored. If If-None-Match contains the ETag, the response is 304 without a body. Requires scope
   * `read:org`, role `billing` or higher. Staff who act for the organization need role `viewer`.
   */
  getInvoicePdf: {
    method: 'GET';
    path: '/v1/invoices/{invoice_id}/pdf';
    params: {
      invoice_id: string;
    };
    contentType: 'application/pdf';
    data: ArrayBuffer;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Pay an invoice. Charges the default payment method while the customer is present to authenticate. Use it to pay a
   * renewal when the bank requires authentication. Returns the subscription, like creating one. Requires scope
   * `admin:org`, role `billing` or higher. Staff who act for the organization need role `finance`.
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
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payment_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Get the credit balance. Returns the credit of the organization. It comes from fewer seats, payments that arrived
   * too late, and the vendor. The next invoices use it before anything is charged. Requires scope `read:org`, role
   * `billing` or higher. Staff who act for the organization need role `viewer`.
   */
  getCreditBalance: {
    method: 'GET';
    path: '/v1/credit-balance';
    data: CreditBalance;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * List payments across organizations. Lists the attempts to collect money, newest first. With `status=orphaned`,
   * lists payments that the provider collected but that match no record, for example after a backup was restored. They
   * stay in the list until they are resolved. Filter by `provider_ref` to find a payment by the provider's ID. Requires
   * staff role `viewer`. Use an operator token, or a staff login with two-factor authentication.
   */
  listOperatorPayments: {
    method: 'GET';
    path: '/v1/operator/payments';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Filter by `organization_id`. */
      organization_id?: string;
      /** Filter by `status`. */
      status?:
        | 'pending'
        | 'requires_action'
        | 'processing'
        | 'succeeded'
        | 'declined'
        | 'canceled'
        | 'orphaned';
      /** Filter by `provider_ref`. */
      provider_ref?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: OperatorPayment[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * List subscriptions across organizations. Lists the subscriptions of all organizations, including those that have
   * ended. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor authentication.
   */
  listOperatorSubscriptions: {
    method: 'GET';
    path: '/v1/operator/subscriptions';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Filter by `organization_id`. */
      organization_id?: string;
      /** Filter by `status`. */
      status?: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: OperatorSubscription[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * List invoices across organizations. Lists the invoices of all organizations. Filter by `number` to find a specific
   * invoice. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor authentication.
   */
  listOperatorInvoices: {
    method: 'GET';
    path: '/v1/operator/invoices';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Filter by `organization_id`. */
      organization_id?: string;
      /** Filter by `status`. */
      status?: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
      /** Filter by `number`. */
      number?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: OperatorInvoice[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Grant credit. Adds to an organization's credit balance. It is applied to the next invoices in that currency before
   * anything is charged. Sends the event `credit.granted`. Send an `Idempotency-Key` so that a retry does not grant the
   * credit twice. Requires staff role `finance`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  createOperatorCredit: {
    method: 'POST';
    path: '/v1/operator/credits';
    body: CreateOperatorCreditBody;
    data: Credit;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Export invoices. Downloads the invoices of all organizations as a file of any size, oldest first. Each row has
   * `id`, `number`, `status`, `organization_id`, `organization_name`, `legal_name`, `tax_id`, `subscription_id`,
   * `period_start`, `period_end`, `currency`, `subtotal`, `discount`, `coupon_code`, `tax`, `total`, `credit_applied`,
   * `amount_due`, `amount_paid`, `created_at`, `paid_at`, `closed_at`. Times are ISO 8601 in UTC, and amounts are in
   * minor units of `currency`. In CSV, text that a spreadsheet would treat as a formula starts with an apostrophe.
   * Requires staff role `viewer`. Use an operator token, or a staff login with two-factor authentication.
   */
  exportInvoices: {
    method: 'GET';
    path: '/v1/operator/exports/invoices';
    query: {
      /** CSV with a header row (the default), or JSON Lines. */
      format?: 'csv' | 'jsonl';
      /** Include only records created at this time or later. A date (UTC), or an ISO 8601 time. */
      from?: string;
      /** Include only records created before this time. A date (UTC), or an ISO 8601 time. */
      to?: string;
    };
    contentType: 'text/csv';
    data: ArrayBuffer;
    errors: CommonErrorCode | TokenErrorCode | 'validation_failed';
  };

  /**
   * Export payments. Downloads the payments of all organizations as a file of any size, oldest first. Each row has
   * `id`, `status`, `organization_id`, `subscription_id`, `invoice_id`, `purpose`, `attempt`, `currency`, `amount`,
   * `payment_method_id`, `decline_code`, `orphaned_because`, `provider`, `provider_ref`, `created_at`, `settled_at`.
   * Times are ISO 8601 in UTC, and amounts are in minor units of `currency`. In CSV, text that a spreadsheet would
   * treat as a formula starts with an apostrophe. Requires staff role `viewer`. Use an operator token, or a staff login
   * with two-factor authentication.
   */
  exportPayments: {
    method: 'GET';
    path: '/v1/operator/exports/payments';
    query: {
      /** CSV with a header row (the default), or JSON Lines. */
      format?: 'csv' | 'jsonl';
      /** Include only records created at this time or later. A date (UTC), or an ISO 8601 time. */
      from?: string;
      /** Include only records created before this time. A date (UTC), or an ISO 8601 time. */
      to?: string;
    };
    contentType: 'text/csv';
    data: ArrayBuffer;
    errors: CommonErrorCode | TokenErrorCode | 'validation_failed';
  };

  /**
   * List licenses. Lists the licenses of the organization with the number of seats in use. Requires scope
   * `read:licenses`, role `member` or higher. Staff who act for the organization need role `viewer`.
   */
  listLicenses: {
    method: 'GET';
    path: '/v1/licenses';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at' | 'expires_at' | '-expires_at' | 'product' | '-product';
      /** Filter by `status`. */
      status?: 'active' | 'suspended' | 'expired' | 'revoked';
      /** Filter by `product`. */
      product?: string;
      /** Return only items before this time (exclusive). */
      expires_before?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: License[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Get a license. Returns the license with its features and the sessions that hold a seat now. Requires scope
   * `read:licenses`, role `member` or higher. Staff who act for the organization need role `viewer`.
   */
  getLicense: {
    method: 'GET';
    path: '/v1/licenses/{license_id}';
    params: {
      license_id: string;
    };
    data: LicenseDetail;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * List the sessions of a license. Lists current and past sessions: who used which machine, from when to when.
   * Requires scope `read:licenses`, role `member` or higher. Staff who act for the organization need role `viewer`.
   */
  listLicenseSessions: {
    method: 'GET';
    path: '/v1/licenses/{license_id}/sessions';
    params: {
      license_id: string;
    };
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'started_at' | '-started_at' | 'last_heartbeat' | '-last_heartbeat';
      /** Filter by `status`. */
      status?: 'active' | 'released' | 'timed_out';
      /** Filter by `user_id`. */
      user_id?: string;
      /** Filter by `hardware_id`. */
      hardware_id?: string;
      /** Filter by `project_id`. */
      project_id?: string;
      /** Return only items after this time (exclusive). */
      started_after?: string;
    };
    data: LicenseSessionRecord[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * List the seats of a license. Lists every seat from 1 to max_seats, with the active session that holds it. If
   * max_seats was lowered while more sessions were active, the sessions beyond it are not included. List them with `GET
   * /v1/licenses/{license_id}/sessions?status=active`. Requires scope `read:licenses`, role `member` or higher. Staff
   * who act for the organization need role `viewer`.
   */
  listLicenseSeats: {
    method: 'GET';
    path: '/v1/licenses/{license_id}/seats';
    params: {
      license_id: string;
    };
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'slot' | '-slot';
    };
    data: LicenseSeat[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * List licenses across organizations. Lists the licenses of all organizations. Filter by `key`, which can be an
   * alias, or by `external_id` to find a specific license. Requires staff role `viewer`. Use an operator token, or a
   * staff login with two-factor authentication.
   */
  listOperatorLicenses: {
    method: 'GET';
    path: '/v1/operator/licenses';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Filter by `organization_id`. */
      organization_id?: string;
      /** Filter by `product`. */
      product?: string;
      /** Filter by `status`. */
      status?: 'active' | 'suspended' | 'expired' | 'revoked';
      /** Filter by `key`. */
      key?: string;
      /** Filter by `external_id`. */
      external_id?: string;
      /** Return only items before this time (exclusive). */
      expires_before?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: OperatorLicense[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Issue a license. Issues a license to an organization, with all its seats free, and sends the event
   * `license.created`. An unknown product or feature, or a value of the wrong type, is refused, and the message
   * suggests the closest match. Requires staff role `support`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  issueOperatorLicense: {
    method: 'POST';
    path: '/v1/operator/licenses';
    body: IssueOperatorLicenseBody;
    data: OperatorLicense;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'already_exists'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Get a license of any organization. Returns the license with `policy`, the rules in effect, and `policy_overrides`,
   * the rules that the license sets itself. The rest of `policy` comes from its plan, its product, or the defaults.
   * `sessions` are the sessions that hold a seat now. Requires staff role `viewer`. Use an operator token, or a staff
   * login with two-factor authentication.
   */
  getOperatorLicense: {
    method: 'GET';
    path: '/v1/operator/licenses/{license_id}';
    params: {
      license_id: string;
    };
    data: OperatorLicenseDetail;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Change a license. Changes the given fields and sends the event `license.updated`. `features` and `metadata` are
   * replaced entirely. In `policy`, fields that you omit stay unchanged, and a field that is null is inherited again.
   * If a subscription pays for the license, the subscription sets its seats, expiry, product, and features. Requires
   * staff role `support`. Use an operator token, or a staff login with two-factor authentication.
   */
  changeOperatorLicense: {
    method: 'PATCH';
    path: '/v1/operator/licenses/{license_id}';
    params: {
      license_id: string;
    };
    body: ChangeOperatorLicenseBody;
    data: OperatorLicense;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'already_exists'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Suspend a license. Refuses acquires and heartbeats of the license until it is reinstated. Sends
   * `license.suspended`. Requires staff role `support`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  suspendOperatorLicense: {
    method: 'POST';
    path: '/v1/operator/licenses/{license_id}/suspend';
    params: {
      license_id: string;
    };
    body: SuspendOperatorLicenseBody;
    data: OperatorLicense;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Reinstate a license. Ends the suspension of a license. Sends `license.reinstated`. Requires staff role `support`.
   * Use an operator token, or a staff login with two-factor authentication.
   */
  reinstateOperatorLicense: {
    method: 'POST';
    path: '/v1/operator/licenses/{license_id}/reinstate';
    params: {
      license_id: string;
    };
    body: ReinstateOperatorLicenseBody;
    data: OperatorLicense;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Revoke a license. Refuses acquires and heartbeats of the license permanently. Sends `license.revoked`. Requires
   * staff role `owner`. Use an operator token, or a staff login with two-factor authentication.
   */
  revokeOperatorLicense: {
    method: 'POST';
    path: '/v1/operator/licenses/{license_id}/revoke';
    params: {
      license_id: string;
    };
    body: RevokeOperatorLicenseBody;
    data: OperatorLicense;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Acquire a seat. Returns 201 with a new session, or 200 with the session that this user already has on this machine.
   * With `offline_seconds`, the seat needs no heartbeat until `offline_until`. With `wait_seconds`, returns 202 with a
   * place in the waiting list if no seat is free. Verify the license_token offline with the public key. Requires scope
   * `manage:licenses`, role `member` or higher.
   */
  acquireSeat: {
    method: 'POST';
    path: '/v1/licenses/acquire';
    body: AcquireSeatBody;
    data: AcquiredSeat;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'license_expired'
      | 'license_revoked'
      | 'license_suspended'
      | 'offline_not_allowed'
      | 'user_not_allowed'
      | 'idempotency_in_progress'
      | 'no_seats_available'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'invalid_hardware_id'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Send a heartbeat. Send a heartbeat at least once per heartbeat interval. The response contains a new license_token
   * when less than half of the lifetime of the last one remains. Rate limits apply to each session, not to the user.
   * Requires scope `manage:licenses`, role `member` or higher.
   */
  heartbeatSeat: {
    method: 'POST';
    path: '/v1/licenses/heartbeat';
    body: HeartbeatSeatBody;
    data: Heartbeat;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'license_expired'
      | 'license_revoked'
      | 'license_suspended'
      | 'user_not_allowed'
      | 'idempotency_in_progress'
      | 'session_released'
      | 'session_timeout'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Release a seat. Releasing a session again returns the first release. Admins can release any session. Rate limits
   * apply to each session, not to the user. Requires scope `manage:licenses`, role `member` or higher. Staff who act
   * for the organization need role `support`.
   */
  releaseSeat: {
    method: 'POST';
    path: '/v1/licenses/release';
    body: ReleaseSeatBody;
    data: ReleasedSeat;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'idempotency_in_progress'
      | 'session_timeout'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Wait for a seat. Returns as soon as it is your turn, or after `timeout` seconds. Seats are given strictly in the
   * order of the waiting list. A free seat is reserved for the first program in the list for 30 seconds: its next
   * request takes the seat and returns what an acquire returns, with the status `granted`. If the program sends no
   * request in that time, its wait is `expired` and the seat goes to the next program. Requires scope
   * `manage:licenses`, role `member` or higher.
   */
  getSeatWait: {
    method: 'GET';
    path: '/v1/licenses/waits/{wait_id}';
    params: {
      wait_id: string;
    };
    query: {
      /** How many seconds to wait for your turn. The default is 0. */
      timeout?: number;
    };
    data: SeatWait;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'license_expired'
      | 'license_revoked'
      | 'license_suspended'
      | 'user_not_allowed'
      | 'session_released'
      | 'session_timeout';
  };

  /**
   * Leave the waiting list. A wait that already has a seat cannot be left. Release the session instead. Requires scope
   * `manage:licenses`, role `member` or higher.
   */
  leaveSeatWait: {
    method: 'DELETE';
    path: '/v1/licenses/waits/{wait_id}';
    params: {
      wait_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended' | 'conflict';
  };

  /**
   * Activate a machine with a license key. Works for licenses whose policy has `activation: "key"`, with the key of the
   * license or an alias of at least 16 letters and digits. Returns 201 with a token that can acquire, keep, and release
   * a seat of this license on this machine. If the machine is already activated, returns 200 with a new token, and the
   * old one stops working. No authentication required.
   */
  activateLicense: {
    method: 'POST';
    path: '/v1/licenses/activate';
    body: ActivateLicenseBody;
    data: ActivatedLicense;
    errors:
      | CommonErrorCode
      | 'organization_suspended'
      | 'license_expired'
      | 'license_revoked'
      | 'license_suspended'
      | 'not_found'
      | 'activation_limit_reached'
      | 'invalid_hardware_id'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List the activations of a license. Lists the machines that were activated with the license key. Requires scope
   * `read:licenses`, role `member` or higher. Staff who act for the organization need role `viewer`.
   */
  listActivations: {
    method: 'GET';
    path: '/v1/licenses/{license_id}/activations';
    params: {
      license_id: string;
    };
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Filter by `hardware_id`. */
      hardware_id?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: LicenseActivation[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Revoke an activation. Its token stops working, and any seat that the machine holds is freed immediately. Requires
   * scope `manage:licenses`, role `admin` or higher. Staff who act for the organization need role `support`.
   */
  deleteActivation: {
    method: 'DELETE';
    path: '/v1/licenses/{license_id}/activations/{activation_id}';
    params: {
      license_id: string;
      activation_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * List the refusals of a license. Lists refused acquires, counted by user, machine, error code, and minute. A refusal
   * appears within a few seconds and is kept for 30 days. Requires scope `read:licenses`, role `member` or higher.
   * Staff who act for the organization need role `viewer`.
   */
  listLicenseRefusals: {
    method: 'GET';
    path: '/v1/licenses/{license_id}/refusals';
    params: {
      license_id: string;
    };
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'last_at' | '-last_at';
      /** Filter by `code`. */
      code?:
        | 'no_seats_available'
        | 'license_expired'
        | 'license_suspended'
        | 'license_revoked'
        | 'user_not_allowed'
        | 'offline_not_allowed';
      /** Filter by `user_id`. */
      user_id?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Filter by `hardware_id`. */
      hardware_id?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: SeatRefusal[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * List the refusals of all organizations. Lists refused acquires of all licenses, counted by user, machine, error
   * code, and minute. Requires staff role `viewer`. Use an operator token, or a staff login with two-factor
   * authentication.
   */
  listRefusals: {
    method: 'GET';
    path: '/v1/operator/refusals';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'last_at' | '-last_at';
      /** Filter by `code`. */
      code?:
        | 'no_seats_available'
        | 'license_expired'
        | 'license_suspended'
        | 'license_revoked'
        | 'user_not_allowed'
        | 'offline_not_allowed';
      /** Filter by `user_id`. */
      user_id?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Filter by `organization_id`. */
      organization_id?: string;
      /** Filter by `license_id`. */
      license_id?: string;
    };
    data: OperatorRefusal[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Get the demand for seats of a license. Returns the seats in use and the refused acquires by hour or day, and how
   * many seats would have been enough. Refusals are kept for 30 days. Requires scope `read:licenses`, role `member` or
   * higher. Staff who act for the organization need role `viewer`.
   */
  getLicenseDemand: {
    method: 'GET';
    path: '/v1/licenses/{license_id}/demand';
    params: {
      license_id: string;
    };
    query: {
      /** Rounded down to a whole hour or day. Defaults to 7 days before `to`. At most 92 days ago. */
      from?: string;
      /** Rounded up to a whole hour or day. Defaults to now. */
      to?: string;
      /** `hour`, the default, covers up to 31 days, and `day` up to 92 days. Days are in UTC. */
      interval?: 'hour' | 'day';
    };
    data: LicenseDemand;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended' | 'validation_failed';
  };

  /**
   * Explain why a user cannot get a seat. Shows how an acquire by this user on another machine would be decided now,
   * without taking a seat, together with the machines that hold the seats and the last refusals. Send `email` or
   * `user_id`, and `license_key` or `license_id`. Requires staff role `viewer`. Use an operator token, or a staff login
   * with two-factor authentication.
   */
  explainSeat: {
    method: 'GET';
    path: '/v1/operator/explain';
    query: {
      /** The user. Or send user_id. */
      email?: string;
      user_id?: string;
      /** The license, as the user typed it. Or send license_id. */
      license_key?: string;
      license_id?: string;
    };
    data: SeatExplanation;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Get the public key. Returns the key that signs license tokens now, as PEM and JWK, with the issuer and audience to
   * expect. After a rotation, older tokens were signed with another key: see GET /.well-known/jwks.json. Requires scope
   * `read:licenses`, role `member` or higher. Staff who act for the organization need role `viewer`.
   */
  getLicensePublicKey: {
    method: 'GET';
    path: '/v1/licenses/public-key';
    data: LicensePublicKey;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * List the keys that verify license tokens. Returns a JSON Web Key Set with every key that may have signed a license
   * token that is still valid. Choose the key by the `kid` of the token. No authentication required.
   */
  getKeySet: {
    method: 'GET';
    path: '/.well-known/jwks.json';
    contentType: 'application/jwk-set+json';
    data: JsonWebKeySet;
    errors: CommonErrorCode;
  };

  /**
   * Get the revoked license tokens. Returns a JWT, signed like license tokens, whose claim `revoked` lists the `jti`
   * and `lic` of tokens that have not expired but are no longer valid because an admin released the session, or because
   * the license or its organization was suspended or revoked. Sessions that timed out or that their own program
   * released are not listed. No authentication required.
   */
  getLicenseRevocations: {
    method: 'GET';
    path: '/.well-known/license-revocations.jwt';
    contentType: 'application/jwt';
    data: ArrayBuffer;
    errors: CommonErrorCode;
  };

  /**
   * Get the usage of a project. Counts the sessions that were acquired with `metadata.project_id` set to this project.
   * Requires scope `read:projects`, role `member` or higher. Staff who act for the organization need role `viewer`.
   */
  getProjectUsage: {
    method: 'GET';
    path: '/v1/projects/{project_id}/usage';
    params: {
      project_id: string;
    };
    data: ProjectUsage;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Get the usage summary. Shows what the organization used in the current period and what its subscriptions include.
   * The peak is the exact highest number of seats in use at one moment across all licenses, not a sample. Requires
   * scope `read:org`, role `billing` or higher. Staff who act for the organization need role `viewer`.
   */
  getUsage: {
    method: 'GET';
    path: '/v1/usage';
    data: UsageSummary;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Record usage. Records what an organization used. The record counts immediately in the period that contains `at`. A
   * `sum` meter adds up the records of a period, a `max` meter takes the largest, and a `last` meter takes the newest
   * one before the end of the period, even if it is older than the period. Records cannot be deleted or be negative.
   * Sending the same `idempotency_key` again returns the first record with 200; a different value or time is rejected.
   * Requires staff role `finance`. Use an operator token, or a staff login with two-factor authentication.
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
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Create a test payment method. Returns an ID to use as `payment_method_id`. Only test card numbers are accepted, and
   * no number is stored. Available only in the sandbox; production returns not_found. Requires scope `admin:org`, role
   * `admin` or higher. Staff who act for the organization need role `finance`.
   */
  makeSandboxPaymentMethod: {
    method: 'POST';
    path: '/v1/sandbox/payment-methods';
    body: MakeSandboxPaymentMethodBody;
    data: SandboxPaymentMethod;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Confirm a test payment. Acts as the customer who authenticates a payment. Takes the `client_secret` of a payment
   * that requires action. When the request returns, the outcome has taken effect, for example the subscription is
   * active. Available only in the sandbox; production returns not_found. Requires scope `admin:org`, role `admin` or
   * higher. Staff who act for the organization need role `finance`.
   */
  confirmSandboxPayment: {
    method: 'POST';
    path: '/v1/sandbox/payments/confirm';
    body: ConfirmSandboxPaymentBody;
    data: SandboxPayment;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Get the sandbox clock. Returns the current time of this organization's clock. Available only in the sandbox;
   * production returns not_found. Requires scope `admin:org`, role `admin` or higher. Staff who act for the
   * organization need role `viewer`.
   */
  getSandboxClock: {
    method: 'GET';
    path: '/v1/sandbox/clock';
    data: SandboxClock;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Advance the sandbox clock. Moves this organization's clock forward and runs everything that becomes due, in order:
   * renewals, dunning, license expiries, seat timeouts, and webhook retries. Other organizations are not affected. The
   * request returns when everything is done, which can take a while if there is much to do or a webhook receiver is
   * slow. After four minutes, or if the server stops, it returns service_unavailable; repeat it with the same
   * Idempotency-Key to continue. Only one move can run at a time; another one gets conflict. Tokens, codes, rate
   * limits, and idempotency stay on real time. Available only in the sandbox; production returns not_found. Requires
   * scope `admin:org`, role `admin` or higher. Staff who act for the organization need role `support`.
   */
  advanceSandboxClock: {
    method: 'POST';
    path: '/v1/sandbox/clock/advance';
    body: AdvanceSandboxClockBody;
    data: SandboxClockAdvanced;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List events. Requires scope `read:org`, role `admin` or higher. Staff who act for the organization need role
   * `viewer`.
   */
  listEvents: {
    method: 'GET';
    path: '/v1/events';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created' | '-created';
      /** Filter by `type`. */
      type?: EventTypeName;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: Event[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Get an event. Requires scope `read:org`, role `admin` or higher. Staff who act for the organization need role
   * `viewer`.
   */
  getEvent: {
    method: 'GET';
    path: '/v1/events/{event_id}';
    params: {
      event_id: string;
    };
    data: Event;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /** List event types. Requires role `member` or higher. Staff who act for the organization need role `viewer`. */
  listEventTypes: {
    method: 'GET';
    path: '/v1/event-types';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'type' | '-type';
    };
    data: EventType[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Stream events. Sends events within a second, as Server-Sent Events: `id` is the event ID, `event` its type, and
   * `data` the event as GET /v1/events/{event_id} returns it. A client that reconnects with the header Last-Event-ID
   * gets what it missed. Events can be repeated and arrive out of order, so use the ID to detect duplicates. A user can
   * have 20 streams. Requires scope `read:org`, role `admin` or higher. Staff who act for the organization need role
   * `viewer`.
   */
  streamEvents: {
    method: 'GET';
    path: '/v1/events/stream';
    query: {
      /** Only events of this type. */
      type?: string;
    };
    contentType: 'text/event-stream';
    data: ArrayBuffer;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Create a webhook endpoint. The endpoint receives events that are created after it. An organization can have at most
   * 50 endpoints. The signing secret is returned only in this response. Requires scope `admin:org`, role `admin` or
   * higher. Staff who act for the organization need role `support`.
   */
  createWebhook: {
    method: 'POST';
    path: '/v1/webhooks';
    body: CreateWebhookBody;
    data: CreatedWebhookEndpoint;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List webhook endpoints. Use `event` to find endpoints that receive an event type, including by group or `*`.
   * Requires scope `read:org`, role `admin` or higher. Staff who act for the organization need role `viewer`.
   */
  listWebhooks: {
    method: 'GET';
    path: '/v1/webhooks';
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Filter by `status`. */
      status?: 'active' | 'paused' | 'disabled';
      /** Filter by `event`. */
      event?: EventTypeName;
    };
    data: WebhookEndpoint[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Get a webhook endpoint. Includes statistics of recent attempts. The signing secret is never returned. Requires
   * scope `read:org`, role `admin` or higher. Staff who act for the organization need role `viewer`.
   */
  getWebhook: {
    method: 'GET';
    path: '/v1/webhooks/{webhook_id}';
    params: {
      webhook_id: string;
    };
    data: WebhookEndpointDetail;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Update a webhook endpoint. Set `status` to pause or enable the endpoint. While it is paused or disabled, its events
   * are held; set `{"status": "active"}` and replay them. If you change the URL, waiting deliveries go to the new one.
   * Requires scope `admin:org`, role `admin` or higher. Staff who act for the organization need role `support`.
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
      | 'organization_suspended'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Delete a webhook endpoint. Waiting deliveries are no longer sent, and the delivery history is deleted. Requires
   * scope `admin:org`, role `admin` or higher. Staff who act for the organization need role `support`.
   */
  deleteWebhook: {
    method: 'DELETE';
    path: '/v1/webhooks/{webhook_id}';
    params: {
      webhook_id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Rotate a signing secret. During the overlap, both secrets sign: the header contains one v1 signature for each,
   * newest first. At most three secrets can sign at a time; if there are more, the oldest stops immediately. Requires
   * scope `admin:org`, role `admin` or higher. Staff who act for the organization need role `support`.
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
      | 'organization_suspended'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Send a test event. Immediately sends an example of an event type to this endpoint only, even if it is paused or
   * disabled. The delivery shows the outcome. If it fails, it is retried on the usual schedule. Requires scope
   * `admin:org`, role `admin` or higher. Staff who act for the organization need role `support`.
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
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List deliveries. Lists deliveries with any status. There is one for each event that the endpoint is subscribed to.
   * Requires scope `read:org`, role `admin` or higher. Staff who act for the organization need role `viewer`.
   */
  listWebhookDeliveries: {
    method: 'GET';
    path: '/v1/webhooks/{webhook_id}/deliveries';
    params: {
      webhook_id: string;
    };
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Filter by `status`. */
      status?: 'pending' | 'succeeded' | 'failed' | 'held';
      /** Filter by `event_type`. */
      event_type?: EventTypeName;
      /** Filter by `event_id`. */
      event_id?: string;
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
      /** Return only items after this number (exclusive). */
      sequence_after?: number;
    };
    data: WebhookDelivery[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Get a delivery. Requires scope `read:org`, role `admin` or higher. Staff who act for the organization need role
   * `viewer`.
   */
  getWebhookDelivery: {
    method: 'GET';
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}';
    params: {
      webhook_id: string;
      delivery_id: string;
    };
    data: WebhookDeliveryDetail;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Retry a delivery. Makes one attempt now, regardless of the delivery's status, even if the endpoint is paused or
   * disabled. If it succeeds, the delivery succeeds. If it fails, the retry schedule continues unchanged. Each call
   * makes one attempt. At most 10 attempts per delivery and 1,000 per endpoint, including test events, can be waiting.
   * Requires scope `admin:org`, role `admin` or higher. Staff who act for the organization need role `support`.
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
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Replay deliveries. Sends the deliveries of events created between `since` and `until` again, oldest first, each
   * with the full retry schedule. At most 50 are waiting at a time, and new events go first. If three or more attempts
   * in a row fail, the replay slows down to one delivery at a time and continues after two failed attempts of each; it
   * returns to full speed after the first success. If an attempt fails while the endpoint is paused, the delivery
   * becomes `held`, and a later replay includes it. Test events are never replayed. Only one replay per endpoint can
   * run at a time, and the endpoint must be active. A dry run only counts. You can create at most 20 replays an hour,
   * including dry runs. Requires scope `admin:org`, role `admin` or higher. Staff who act for the organization need
   * role `support`.
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
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'validation_failed'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Cancel a replay. Stops the replay. Deliveries that it has already started continue. At most 50 of them are waiting.
   * Requires scope `admin:org`, role `admin` or higher. Staff who act for the organization need role `support`.
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
      | 'organization_suspended'
      | 'conflict'
      | 'idempotency_in_progress'
      | 'idempotency_key_reused'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * List replays. Requires scope `read:org`, role `admin` or higher. Staff who act for the organization need role
   * `viewer`.
   */
  listWebhookReplays: {
    method: 'GET';
    path: '/v1/webhooks/{webhook_id}/replays';
    params: {
      webhook_id: string;
    };
    query: {
      /** The number of items per page. */
      limit?: number;
      /** `next_cursor` of the previous page. Use the same sort and filters. */
      cursor?: string;
      /** Field to sort by. Prefix it with - for descending order. */
      sort?: 'created_at' | '-created_at';
      /** Filter by `status`. */
      status?: 'running' | 'completed' | 'canceled';
      /** Return only items after this time (exclusive). */
      created_after?: string;
      /** Return only items before this time (exclusive). */
      created_before?: string;
    };
    data: WebhookReplay[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Get a replay. Requires scope `read:org`, role `admin` or higher. Staff who act for the organization need role
   * `viewer`.
   */
  getWebhookReplay: {
    method: 'GET';
    path: '/v1/webhooks/{webhook_id}/replays/{replay_id}';
    params: {
      webhook_id: string;
      replay_id: string;
    };
    data: WebhookReplay;
    errors: CommonErrorCode | TokenErrorCode | 'organization_suspended';
  };

  /**
   * Get an overview. Shows the subscriptions of all organizations together and how they are used. `mrr`, the counts by
   * status, `seats.sold`, and `seats.used` are current values; all of these but `seats.used` are up to 30 seconds old
   * if there are more than 50,000 licenses and subscriptions. All other values cover the time between `from` and `to`,
   * which is extended to whole hours and is at most 366 days. Requires staff role `viewer`. Use an operator token, or a
   * staff login with two-factor authentication.
   */
  getOverview: {
    method: 'GET';
    path: '/v1/operator/overview';
    query: {
      /** A date (UTC), or an ISO 8601 time. Defaults to 30 days before `to`. */
      from?: string;
      /** A date (UTC), or an ISO 8601 time. Defaults to now. */
      to?: string;
    };
    data: Overview;
    errors: CommonErrorCode | TokenErrorCode | 'validation_failed';
  };

  /**
   * Get a request. Returns the record of a request from the last 7 days by its `X-Request-Id`. All errors are recorded.
   * Of the other requests, all are recorded while there are few, and a sample (`SEATHOLD_REQUEST_SAMPLE`) while there
   * are many. A record appears within a few seconds. Requires staff role `viewer`. Use an operator token, or a staff
   * login with two-factor authentication.
   */
  getRequestRecord: {
    method: 'GET';
    path: '/v1/operator/requests/{request_id}';
    params: {
      request_id: string;
    };
    data: RequestRecord;
    errors: CommonErrorCode | TokenErrorCode;
  };
}
