// Made by tools/generate.ts from the rooms' events.ts; never edited.

/** `data.object` of every type of event. New members may come, and new types. */
export interface EventObjects {
  /** An invoice was made out: it has its number, and its amounts stay as they are. */
  'invoice.created': {
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
    tax_lines: Array<{
      name: string;
      /** A decimal number, such as 19.0. */
      percent: string;
      /** The amount that is taxed, in minor units of the currency. */
      taxable: number;
      /** In minor units of the currency. */
      amount: number;
    }>;
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
    lines: Array<{
      description: string;
      quantity: number;
      /** In minor units of the currency; negative where something is credited. */
      unit_amount: number;
      /** Always quantity times unit_amount. */
      amount: number;
    }>;
    invoice_id: string;
  };
  /** An invoice is paid. */
  'invoice.paid': {
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
    tax_lines: Array<{
      name: string;
      /** A decimal number, such as 19.0. */
      percent: string;
      /** The amount that is taxed, in minor units of the currency. */
      taxable: number;
      /** In minor units of the currency. */
      amount: number;
    }>;
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
    lines: Array<{
      description: string;
      quantity: number;
      /** In minor units of the currency; negative where something is credited. */
      unit_amount: number;
      /** Always quantity times unit_amount. */
      amount: number;
    }>;
    invoice_id: string;
  };
  /** A payment of an invoice was declined. */
  'invoice.payment_failed': {
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
    tax_lines: Array<{
      name: string;
      /** A decimal number, such as 19.0. */
      percent: string;
      /** The amount that is taxed, in minor units of the currency. */
      taxable: number;
      /** In minor units of the currency. */
      amount: number;
    }>;
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
    lines: Array<{
      description: string;
      quantity: number;
      /** In minor units of the currency; negative where something is credited. */
      unit_amount: number;
      /** Always quantity times unit_amount. */
      amount: number;
    }>;
    invoice_id: string;
    /** Why, as the payment provider names it. */
    decline_code: string;
    /** When it is tried again by itself; null when only another card can help. */
    next_attempt_at: string | null;
  };
  /** The operator issued a license. For licenses that a subscription pays for, see `subscription.*` events. */
  'license.created': {
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
    license_id: string;
  };
  /** The license has expired. */
  'license.expired': {
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
    license_id: string;
  };
  /** The license expires within 7 days and nothing will renew it. Once for each expiry date. */
  'license.expiring': {
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
    license_id: string;
  };
  /** The operator reinstated a suspended license. */
  'license.reinstated': {
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
    license_id: string;
  };
  /** The operator revoked the license: acquires and heartbeats are refused permanently. */
  'license.revoked': {
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
    license_id: string;
  };
  /** A client took a seat. The object has exactly these members. */
  'license.seat.acquired': {
    session_id: string;
    license_id: string;
    user_id: string;
    hardware_id: string;
    active_seats: number;
    max_seats: number;
  };
  /** A client, or an admin in its place, released a seat. */
  'license.seat.released': {
    id: string;
    user_id: string;
    /** The machine, as the client names it. */
    hardware_id: string;
    /** ISO 8601, UTC, milliseconds. */
    started_at: string;
    /** ISO 8601, UTC, milliseconds. */
    last_heartbeat: string;
    status: 'released';
    /** ISO 8601, UTC, milliseconds. */
    released_at: string;
    session_id: string;
    license_id: string;
    active_seats: number;
    max_seats: number;
  };
  /** A seat was released due to inactivity. */
  'license.seat.timeout': {
    id: string;
    user_id: string;
    /** The machine, as the client names it. */
    hardware_id: string;
    /** ISO 8601, UTC, milliseconds. */
    started_at: string;
    /** ISO 8601, UTC, milliseconds. */
    last_heartbeat: string;
    status: 'timed_out';
    /** ISO 8601, UTC, milliseconds. */
    timeout_at: string;
    session_id: string;
    license_id: string;
    active_seats: number;
    max_seats: number;
  };
  /** The last seat was taken: all seats are in use. */
  'license.seats.exhausted': {
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
    license_id: string;
  };
  /** The operator suspended the license: acquires and heartbeats are refused until it is reinstated. */
  'license.suspended': {
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
    license_id: string;
  };
  /** The operator changed the seats or the expiry of a license. */
  'license.updated': {
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
    license_id: string;
  };
  /** An admin invited somebody to the organization. */
  'org.member.invited': {
    id: string;
    organization_id: string;
    email: string;
    role: 'member' | 'billing' | 'admin';
    status: 'pending' | 'accepted' | 'expired' | 'revoked';
    invited_by: string;
    created_at: string;
    expires_at: string;
    accepted_at: string | null;
    invitation_id: string;
  };
  /** Somebody accepted an invitation and is a member now. */
  'org.member.joined': {
    user_id: string;
    organization_id: string;
    email: string;
    name: string;
    /** A picture of the user: the one that they set, or else a neutral silhouette. */
    avatar_url: string;
    role: 'member' | 'billing' | 'admin';
    /** When they joined. */
    created_at: string;
    invitation_id: string;
  };
  /** A member was removed by an admin, or left. `removed_by` is the member themself who left. */
  'org.member.removed': {
    user_id: string;
    organization_id: string;
    email: string;
    name: string;
    /** A picture of the user: the one that they set, or else a neutral silhouette. */
    avatar_url: string;
    role: 'member' | 'billing' | 'admin';
    /** When they joined. */
    created_at: string;
    removed_by: string;
  };
  /** A member has another role now. */
  'org.member.role_changed': {
    user_id: string;
    organization_id: string;
    email: string;
    name: string;
    /** A picture of the user: the one that they set, or else a neutral silhouette. */
    avatar_url: string;
    role: 'member' | 'billing' | 'admin';
    /** When they joined. */
    created_at: string;
    previous_role: 'member' | 'billing' | 'admin';
    changed_by: string;
  };
  /**
   * A payment succeeded too late: its subscription or invoice was already closed, or the payment was already recorded
   * as failed. The amount was added to the organization's credit and applies to its next invoices.
   */
  'payment.credited': {
    payment_id: string;
    /** The subscription that the payment was for. If it never started, this id cannot be retrieved. */
    subscription_id: string;
    /** The invoice that the payment was for; null if there is none. */
    invoice_id: string | null;
    /** In minor units. */
    amount: number;
    currency: string;
    /**
     * `ended`: the subscription or invoice was already closed. `booked_as_failed`: the payment was already recorded as
     * failed.
     */
    reason: 'ended' | 'booked_as_failed';
    /** The organization's credit balance including this payment, in minor units. */
    credit_balance: number;
    /** ISO 8601, UTC, milliseconds. */
    created_at: string;
  };
  /** A payment method was attached. */
  'payment_method.attached': {
    id: string;
    type: 'card';
    card: {
      /** In lower case, as the payment provider names it: visa, mastercard … */
      brand: string;
      last4: string;
      exp_month: number;
      exp_year: number;
    };
    /** Whether renewals are charged to it. */
    is_default: boolean;
    /** ISO 8601, UTC, milliseconds. */
    created_at: string;
    payment_method_id: string;
  };
  /** A payment method was removed. The object shows it as it was. */
  'payment_method.removed': {
    id: string;
    type: 'card';
    card: {
      /** In lower case, as the payment provider names it: visa, mastercard … */
      brand: string;
      last4: string;
      exp_month: number;
      exp_year: number;
    };
    /** Whether renewals are charged to it. */
    is_default: boolean;
    /** ISO 8601, UTC, milliseconds. */
    created_at: string;
    payment_method_id: string;
  };
  /**
   * Somebody canceled the subscription: at once, or for the end of the period. The object has exactly these members.
   */
  'subscription.canceled': {
    subscription_id: string;
    plan_id: string;
    /** False when it was canceled at once. */
    cancel_at_period_end: boolean;
    /** ISO 8601, UTC, milliseconds. */
    current_period_end: string;
    /** The user who canceled it. */
    canceled_by: string;
    /** As it was given; empty when none was. */
    reason: string;
  };
  /** The organization subscribed to a plan. `incomplete` when the first payment waits to be authenticated. */
  'subscription.created': {
    id: string;
    status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
    plan: {
      id: string;
      name: string;
      /** Of one seat for one interval, in minor units of the currency; null when sold by contact. */
      price: number | null;
      /** ISO 4217, lower case. */
      currency: string;
      interval: 'month';
    };
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
    coupon: {
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
    } | null;
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
    } | null;
    subscription_id: string;
    plan_id: string;
  };
  /**
   * The subscription ended by itself: the period after which it was canceled is over (`canceled`), or it was not paid
   * for (`expired`).
   */
  'subscription.expired': {
    id: string;
    status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
    plan: {
      id: string;
      name: string;
      /** Of one seat for one interval, in minor units of the currency; null when sold by contact. */
      price: number | null;
      /** ISO 4217, lower case. */
      currency: string;
      interval: 'month';
    };
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
    coupon: {
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
    } | null;
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
    } | null;
    subscription_id: string;
    plan_id: string;
  };
  /** Its status, plan, quantity, period or coming end changed. */
  'subscription.updated': {
    id: string;
    status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
    plan: {
      id: string;
      name: string;
      /** Of one seat for one interval, in minor units of the currency; null when sold by contact. */
      price: number | null;
      /** ISO 4217, lower case. */
      currency: string;
      interval: 'month';
    };
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
    coupon: {
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
    } | null;
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
    } | null;
    subscription_id: string;
    plan_id: string;
  };
}
