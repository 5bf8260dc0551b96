import { randomBytes } from 'node:crypto';
import type { TestCard } from './cards.ts';
import { missing } from './stripe-fault.ts';

/** What Stripe knows: the state behind its objects. */
export interface Customer {
  id: string;
  name: string | null;
  email: string | null;
  metadata: Record<string, string>;
}

export interface Method {
  id: string;
  card: TestCard;
  type: 'card' | 'sepa_debit';
  customer: string | null;
  /** Whether it may be charged off session: it was set up, by a payment that the customer was present for. */
  hasMandate: boolean;
  /** Whether it was detached, and so can never be attached again. */
  isSpent: boolean;
}

export interface Intent {
  id: string;
  secret: string;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'canceled'
    | 'succeeded';
  amount: number;
  currency: string;
  customer: string | null;
  method: string | null;
  description: string | null;
  metadata: Record<string, string>;
  setupFutureUsage: string | null;
  /** By the double's clock. */
  createdAtMs: number;
  /** The last failed try. */
  error: Record<string, unknown> | null;
}

/** Money that was actually collected. */
export interface CollectedCharge {
  id: string;
  intentId: string;
  attemptId: string | undefined;
  amount: number;
  currency: string;
  customer: string | null;
  /** The purpose of the charge. */
  metadata: Readonly<Record<string, string>>;
}

/** An event as a webhook sends it. */
export interface StripeEvent {
  id: string;
  type: string;
  object: Record<string, unknown>;
}

export class World {
  readonly customers = new Map<string, Customer>();
  readonly methods = new Map<string, Method>();
  readonly intents = new Map<string, Intent>();
  readonly charges: CollectedCharge[] = [];
  readonly events: StripeEvent[] = [];
  /** How far the double's clock runs ahead of real time. */
  aheadMs = 0;
  /** Called with each event as it happens. */
  onEvent: (event: StripeEvent) => void = () => undefined;

  nowMs(): number {
    return Date.now() + this.aheadMs;
  }

  newId(prefix: string): string {
    return `${prefix}_${randomBytes(12).toString('hex')}`;
  }

  customer(id: string, param: string): Customer {
    const found = this.customers.get(id);
    if (found === undefined) {
      throw missing(param, 'customer', id);
    }
    return found;
  }

  method(id: string, param: string): Method {
    const found = this.methods.get(id);
    if (found === undefined) {
      throw missing(param, 'payment_method', id);
    }
    return found;
  }

  intent(id: string): Intent {
    const found = this.intents.get(id);
    if (found === undefined) {
      throw missing('id', 'payment_intent', id);
    }
    return found;
  }

  announce(type: string, object: Record<string, unknown>): void {
    const event = { id: this.newId('evt'), type, object: structuredClone(object) };
    this.events.push(event);
    this.onEvent(event);
  }
}
