// Made by tools/generate.ts from the rooms' events.ts; never edited.

/** `data.object` of every type of event. New members may come, and new types. */
export interface EventObjects {
  /** The vendor granted credit. It applies to the next invoices in its currency. */
  'credit.granted': {
    credit_id: string;
    /** In minor currency units. */
    amount: number;
    currency: string;
    /** The vendor's reason. */
    reason: string;
    /** The organization's credit balance including this credit, in minor currency units. */
    credit_balance: number;
    created_at: string;
  };
  /** An invoice was finalized. It has a number, and its amounts no longer change. */
  'invoice.created': {
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
    tax_lines: Array<{
      name: string;
      /** A decimal number, for example 19.0. */
      percent: string;
      /** The taxable amount, in minor currency units. */
      taxable: number;
      /** In minor currency units. */
      amount: number;
    }>;
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
    lines: Array<{
      description: string;
      quantity: number;
      /** In minor currency units. Negative for credits. */
      unit_amount: number;
      /** Always `quantity` × `unit_amount`. */
      amount: number;
    }>;
    invoice_id: string;
  };
  /** An invoice was paid. */
  'invoice.paid': {
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
    tax_lines: Array<{
      name: string;
      /** A decimal number, for example 19.0. */
      percent: string;
      /** The taxable amount, in minor currency units. */
      taxable: number;
      /** In minor currency units. */
      amount: number;
    }>;
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
    lines: Array<{
      description: string;
      quantity: number;
      /** In minor currency units. Negative for credits. */
      unit_amount: number;
      /** Always `quantity` × `unit_amount`. */
      amount: number;
    }>;
    invoice_id: string;
  };
  /** A payment for an invoice was declined. */
  'invoice.payment_failed': {
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
    tax_lines: Array<{
      name: string;
      /** A decimal number, for example 19.0. */
      percent: string;
      /** The taxable amount, in minor currency units. */
      taxable: number;
      /** In minor currency units. */
      amount: number;
    }>;
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
    lines: Array<{
      description: string;
      quantity: number;
      /** In minor currency units. Negative for credits. */
      unit_amount: number;
      /** Always `quantity` × `unit_amount`. */
      amount: number;
    }>;
    invoice_id: string;
    /** The decline code from the payment provider. */
    decline_code: string;
    /** When the payment is retried automatically. Null if only a different card can help. */
    next_attempt_at: string | null;
  };
  /** The operator issued a license. For licenses that a subscription pays for, see `subscription.*` events. */
  'license.created': {
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
    license_id: string;
  };
  /** The license has expired. */
  'license.expired': {
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
    license_id: string;
  };
  /** A license expires within 7 days and will not renew automatically. Sent once for each expiry date. */
  'license.expiring': {
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
    license_id: string;
  };
  /** The operator reinstated a suspended license. */
  'license.reinstated': {
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
    license_id: string;
  };
  /** The operator revoked the license: acquires and heartbeats are refused permanently. */
  'license.revoked': {
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
    license_id: string;
  };
  /** A client acquired a seat. The object has exactly these members. */
  'license.seat.acquired': {
    session_id: string;
    license_id: string;
    user_id: string | null;
    hardware_id: string;
    active_seats: number;
    max_seats: number;
  };
  /**
   * An acquire was refused. Sent at most once a minute for each license and error code, with the last refusal. `GET
   * /v1/licenses/{license_id}/refusals` lists them all.
   */
  'license.seat.refused': {
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
    license_id: string;
  };
  /** A client or an admin released a seat. */
  'license.seat.released': {
    id: string;
    user_id: string | null;
    /** The activation, if the seat was taken with a license key instead of by a user. */
    activation_id?: string;
    /** The machine, as the client named it. */
    hardware_id: string;
    started_at: string;
    last_heartbeat: string;
    status: 'released';
    released_at: string;
    ended_at: string;
    /**
     * The ID of the user, admin, staff member, or operator token that released the session. Null if it was not
     * released.
     */
    released_by: string | null;
    /** The time until which the seat needs no heartbeat. Null if the seat is not offline. */
    offline_until: string | null;
    session_id: string;
    license_id: string;
    active_seats: number;
    max_seats: number;
  };
  /** A seat was released due to inactivity. */
  'license.seat.timeout': {
    id: string;
    user_id: string | null;
    /** The activation, if the seat was taken with a license key instead of by a user. */
    activation_id?: string;
    /** The machine, as the client named it. */
    hardware_id: string;
    started_at: string;
    last_heartbeat: string;
    status: 'timed_out';
    timeout_at: string;
    ended_at: string;
    /**
     * The ID of the user, admin, staff member, or operator token that released the session. Null if it was not
     * released.
     */
    released_by: string | null;
    /** The time until which the seat needs no heartbeat. Null if the seat is not offline. */
    offline_until: string | null;
    session_id: string;
    license_id: string;
    active_seats: number;
    max_seats: number;
  };
  /** The last seat was acquired. All seats are in use. */
  'license.seats.exhausted': {
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
    license_id: string;
  };
  /** The operator suspended the license: acquires and heartbeats are refused until it is reinstated. */
  'license.suspended': {
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
    license_id: string;
  };
  /** The operator changed the seats or the expiry of a license. */
  'license.updated': {
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
    license_id: string;
  };
  /** An admin invited a new member to the organization. */
  'org.member.invited': {
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
    invitation_id: string;
  };
  /** A user accepted an invitation and became a member. */
  'org.member.joined': {
    user_id: string;
    organization_id: string;
    email: string;
    name: string;
    /** The user's picture, or a default picture if they have none. */
    avatar_url: string;
    role: 'member' | 'billing' | 'admin';
    /** When the member joined. */
    created_at: string;
    invitation_id: string;
  };
  /** A member was removed by an admin, or left. If they left, `removed_by` is their own user ID. */
  'org.member.removed': {
    user_id: string;
    organization_id: string;
    email: string;
    name: string;
    /** The user's picture, or a default picture if they have none. */
    avatar_url: string;
    role: 'member' | 'billing' | 'admin';
    /** When the member joined. */
    created_at: string;
    /** The user who sent the invitation. Null if one of the vendor's programs did. */
    removed_by: string | null;
  };
  /** The role of a member changed. */
  'org.member.role_changed': {
    user_id: string;
    organization_id: string;
    email: string;
    name: string;
    /** The user's picture, or a default picture if they have none. */
    avatar_url: string;
    role: 'member' | 'billing' | 'admin';
    /** When the member joined. */
    created_at: string;
    previous_role: 'member' | 'billing' | 'admin';
    /** The user who sent the invitation. Null if one of the vendor's programs did. */
    changed_by: string | null;
  };
  /** The suspension of the organization ended. */
  'org.reinstated': {
    organization_id: string;
  };
  /** The organization was suspended: its tokens are refused, except to read what it owes and to pay. */
  'org.suspended': {
    organization_id: string;
    reason: string;
  };
  /**
   * A payment succeeded too late: its subscription or invoice was already closed, or the payment was already recorded
   * as failed. This event is also sent if the record of a payment was lost and then found at the payment provider with
   * an amount other than what is due now. The amount was added to the organization's credit and applies to its next
   * invoices.
   */
  'payment.credited': {
    payment_id: string;
    /** The subscription that the payment was for. If it never started, this ID cannot be retrieved. */
    subscription_id: string;
    /** The invoice that the payment was for. Null if there is none. */
    invoice_id: string | null;
    /** In minor currency units. */
    amount: number;
    currency: string;
    /**
     * `ended`: the subscription or invoice was already closed. `booked_as_failed`: the payment was already recorded as
     * failed. `lost_record`: the record of the payment was lost, for example by restoring a backup, and another amount
     * is due now.
     */
    reason: 'ended' | 'booked_as_failed' | 'lost_record';
    /** The organization's credit balance including this payment, in minor currency units. */
    credit_balance: number;
    created_at: string;
  };
  /** A payment method was attached. */
  'payment_method.attached': {
    id: string;
    type: 'card';
    card: {
      /** The card brand in lowercase, as the payment provider names it, for example visa or mastercard. */
      brand: string;
      last4: string;
      exp_month: number;
      exp_year: number;
    };
    /** Whether renewals are charged to it. */
    is_default: boolean;
    created_at: string;
    payment_method_id: string;
  };
  /** A payment method was removed. The object shows its last state. */
  'payment_method.removed': {
    id: string;
    type: 'card';
    card: {
      /** The card brand in lowercase, as the payment provider names it, for example visa or mastercard. */
      brand: string;
      last4: string;
      exp_month: number;
      exp_year: number;
    };
    /** Whether renewals are charged to it. */
    is_default: boolean;
    created_at: string;
    payment_method_id: string;
  };
  /** A subscription was canceled, immediately or at the end of the period. The object has exactly these members. */
  'subscription.canceled': {
    subscription_id: string;
    plan_id: string;
    /** False if it was canceled immediately. */
    cancel_at_period_end: boolean;
    current_period_end: string;
    /** The ID of the user or operator token that canceled it. */
    canceled_by: string;
    /** The given reason. Empty if none was given. */
    reason: string;
  };
  /** A subscription was created. Its status is `incomplete` if the customer must authenticate the first payment. */
  'subscription.created': {
    id: string;
    status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
    plan: {
      id: string;
      name: string;
      /** The price of one seat for one interval, in minor currency units. Null if the plan is sold by contact. */
      price: number | null;
      /** An ISO 4217 code in lowercase. */
      currency: string;
      interval: 'month';
    };
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
    coupon: {
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
    } | null;
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
    } | null;
    subscription_id: string;
    plan_id: string;
  };
  /**
   * A subscription ended: the period after which it was canceled is over (`canceled`), or it was not paid (`expired`).
   */
  'subscription.expired': {
    id: string;
    status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
    plan: {
      id: string;
      name: string;
      /** The price of one seat for one interval, in minor currency units. Null if the plan is sold by contact. */
      price: number | null;
      /** An ISO 4217 code in lowercase. */
      currency: string;
      interval: 'month';
    };
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
    coupon: {
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
    } | null;
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
    } | null;
    subscription_id: string;
    plan_id: string;
  };
  /** The status, plan, quantity, period, or scheduled cancellation of a subscription changed. */
  'subscription.updated': {
    id: string;
    status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
    plan: {
      id: string;
      name: string;
      /** The price of one seat for one interval, in minor currency units. Null if the plan is sold by contact. */
      price: number | null;
      /** An ISO 4217 code in lowercase. */
      currency: string;
      interval: 'month';
    };
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
    coupon: {
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
    } | null;
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
    } | null;
    subscription_id: string;
    plan_id: string;
  };
}
