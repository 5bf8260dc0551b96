import { expect } from 'vitest';
import type { Charge, ChargeOutcome } from '../../src/billing/payment-provider/payment-provider.ts';
import { createTestProvider } from '../../src/billing/payment-provider/test/create-test-provider.ts';
import { newId } from '../../src/ids/index.ts';
import type { TestApp } from './index.ts';

export const NOW = Date.parse('2026-11-02T09:30:00Z');
export const VISA = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' };

/** The built-in provider, opened for a test, with customers who pay through it. */
export class Till {
  readonly provider: ReturnType<typeof createTestProvider>;

  constructor({ database, masterKey }: TestApp) {
    this.provider = createTestProvider({ database, masterKey });
  }

  async customer(): Promise<{ organizationId: string; customerRef: string }> {
    const organizationId = newId('organization');
    const opened = await this.provider.createCustomer({ organizationId, name: 'Ada', email: undefined });
    return { organizationId, customerRef: opened.kind === 'ready' ? opened.customerRef : expect.fail() };
  }

  async attach(customerRef: string, token: string): Promise<string> {
    const outcome = await this.provider.attachMethod({ customerRef, token, nowMs: NOW });
    return outcome.kind === 'attached' ? outcome.method.ref : expect.fail(`${token} was ${outcome.kind}`);
  }

  /** A charge to a new card of this name. */
  async chargeOf(token: string): Promise<Charge> {
    const { organizationId, customerRef } = await this.customer();
    return {
      attemptId: newId('payment'),
      organizationId,
      amount: 2_900,
      currency: 'usd',
      customerRef,
      methodRef: await this.attach(customerRef, token),
      purpose: 'create',
      isOnSession: true,
      setsUpMandate: true,
      description: 'Pro',
      nowMs: NOW,
    };
  }

  async prepare(charge: Charge): Promise<Charge & { paymentRef: string }> {
    const prepared = await this.provider.prepare(charge);
    return prepared.kind === 'prepared' ? { ...charge, paymentRef: prepared.paymentRef } : expect.fail();
  }

  async collect(charge: Charge): Promise<ChargeOutcome> {
    return this.provider.confirm(await this.prepare(charge));
  }

  async play(secret: string, act: 'succeed' | 'fail', organizationId?: string) {
    const played = await this.provider.cards.playCustomer(secret, act, NOW, organizationId);
    return typeof played === 'string' ? played : played.outcome;
  }
}

/** Another attempt at the same charge, with these changes. */
export function again(charge: Charge, change: Partial<Charge>): Charge {
  return { ...charge, attemptId: newId('payment'), ...change };
}
