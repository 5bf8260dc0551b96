import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentProvider } from '../../src/billing/payment-provider/payment-provider.ts';
import {
  attachCard,
  chargeOf,
  createPayer,
  freshId,
  NOW_MS,
  type ProviderUnderTest,
  payWith,
  prepared,
  secretOf,
} from './provider-under-test.ts';
import { describeSearches } from './search-contract.ts';

/** The contract of every payment provider. */
export function describeProviderContract(name: string, open: () => Promise<ProviderUnderTest>): void {
  describe(`the contract of payment providers: ${name}`, () => {
    let opened: ProviderUnderTest;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const provider = () => opened.provider;
    describeCustomers(provider);
    describeMethods(provider);
    describePreparing(provider);
    describeCollecting(provider);
    describeRepetition(provider);
    describeAuthentication(provider, (secret, outcome) => opened.playCustomer(secret, outcome));
    describeLookups(provider);
    describeCanceling(provider);
    describeSearches(provider);
  });
}

type Provider = () => PaymentProvider;

function describeCustomers(provider: Provider): void {
  it('an organization has only one customer, even under another name', async () => {
    const organizationId = freshId('org');
    const first = await provider().createCustomer({ organizationId, name: 'Acme', email: 'a@acme.example' });
    const second = await provider().createCustomer({ organizationId, name: 'Acme Ltd', email: undefined });
    expect(first.kind).toBe('ready');
    expect(second).toEqual(first);
    expect((await createPayer(provider())).customerRef).not.toBe((await createPayer(provider())).customerRef);
  });

  it('ten simultaneous requests for a customer return the same one', async () => {
    const organizationId = freshId('org');
    const payers = await Promise.all(Array.from({ length: 10 }, () => createPayer(provider(), organizationId)));
    expect(new Set(payers.map((payer) => payer.customerRef)).size).toBe(1);
  });
}

function describeMethods(provider: Provider): void {
  const attach = (customerRef: string, token: string) => provider().attachMethod({ customerRef, token, nowMs: NOW_MS });

  it('an attached card is described', async () => {
    const { ref, ...card } = await attachCard(provider(), await createPayer(provider()), 'pm_card_visa');
    expect(ref).toMatch(/^pm_\w+$/);
    expect(card).toEqual({ brand: 'visa', last4: '4242', expMonth: 12, expYear: expect.any(Number) });
    expect(card.expYear).toBeGreaterThan(2026);
  });

  it('attaching an attached card changes nothing', async () => {
    const payer = await createPayer(provider());
    const method = await attachCard(provider(), payer, 'pm_card_mastercard');
    expect(await attach(payer.customerRef, method.ref)).toEqual({ kind: 'attached', method });
  });

  it.each(['pm_card_nobodyKnows', 'pm_0123456789abcdef', 'not a method', '', 'pm_../../customers', 'cus_1'])(
    'the unknown token %j is refused',
    async (token) => {
      const { customerRef } = await createPayer(provider());
      expect(await attach(customerRef, token)).toEqual({ kind: 'refused', reason: 'unknown' });
    },
  );

  it("another customer's card is refused, and stays attached to that customer", async () => {
    const owner = await createPayer(provider());
    const method = await attachCard(provider(), owner, 'pm_card_visa');
    const { customerRef } = await createPayer(provider());
    expect(await attach(customerRef, method.ref)).toEqual({ kind: 'refused', reason: 'in_use' });
    expect(await attach(owner.customerRef, method.ref)).toEqual({ kind: 'attached', method });
  });

  it.each([
    ['pm_card_chargeDeclined', 'generic_decline'],
    ['pm_card_visa_chargeDeclined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', 'lost_card'],
    ['pm_card_visa_chargeDeclinedStolenCard', 'stolen_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error'],
    ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_velocity_exceeded'],
  ])('%s is declined when it is attached', async (token, declineCode) => {
    const { customerRef } = await createPayer(provider());
    expect(await attach(customerRef, token)).toEqual({ kind: 'declined', declineCode });
  });

  it('detaching a card twice has the effect of once, and the card cannot be attached again', async () => {
    const { customerRef, ...payer } = await createPayer(provider());
    const { ref: methodRef } = await attachCard(provider(), { ...payer, customerRef }, 'pm_card_visa');
    expect(await provider().detachMethod({ customerRef, methodRef })).toEqual({ kind: 'detached' });
    expect(await provider().detachMethod({ customerRef, methodRef })).toEqual({ kind: 'detached' });
    expect(await attach(customerRef, methodRef)).toEqual({ kind: 'refused', reason: 'unknown' });
  });
}

function describePreparing(provider: Provider): void {
  it('preparing again returns the same reference and collects nothing', async () => {
    const payer = await createPayer(provider());
    const { ref } = await attachCard(provider(), payer, 'pm_card_visa');
    const charge = chargeOf(payer, ref);
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => prepared(provider(), charge)));
    const paymentRef = first?.paymentRef ?? '';
    expect(others.map((each) => each.paymentRef)).toEqual([paymentRef, paymentRef, paymentRef]);
    expect(await provider().lookup({ paymentRef, nowMs: NOW_MS })).toEqual({ kind: 'unconfirmed' });
    expect((await prepared(provider(), chargeOf(payer, ref))).paymentRef).not.toBe(paymentRef);
  });

  it.each(['before it is prepared', 'before it is confirmed'])(
    'a card that is detached %s is permanently declined',
    async (when) => {
      const payer = await createPayer(provider());
      const { ref: methodRef } = await attachCard(provider(), payer, 'pm_card_visa');
      const charge = chargeOf(payer, methodRef, { purpose: 'renewal', isOnSession: false });
      const early = when === 'before it is confirmed' ? await prepared(provider(), charge) : undefined;
      await provider().detachMethod({ customerRef: payer.customerRef, methodRef });
      const outcome = early === undefined ? await provider().prepare(charge) : await provider().confirm(early);
      expect(outcome).toEqual({ kind: 'declined', declineCode: 'no_payment_method', isHard: true });
    },
  );

  it("another customer's card is not charged", async () => {
    const { ref } = await attachCard(provider(), await createPayer(provider()), 'pm_card_visa');
    const outcome = await provider().prepare(chargeOf(await createPayer(provider()), ref));
    expect(outcome).toEqual({ kind: 'declined', declineCode: 'no_payment_method', isHard: true });
  });
}

function describeCollecting(provider: Provider): void {
  it.each(['create', 'change', 'pay'] as const)('a good card pays a %s on-session', async (purpose) => {
    expect((await payWith(provider(), 'pm_card_visa', { purpose })).outcome).toEqual({ kind: 'succeeded' });
  });

  it.each(['renewal', 'retry'] as const)('a good card pays a %s off-session', async (purpose) => {
    const { outcome } = await payWith(provider(), 'pm_card_mastercard', { purpose, isOnSession: false });
    expect(outcome).toEqual({ kind: 'succeeded' });
  });

  it('a card that fails later is declined at a renewal, and may be tried again', async () => {
    const { outcome } = await payWith(provider(), 'pm_card_chargeCustomerFail', {
      purpose: 'renewal',
      isOnSession: false,
    });
    expect(outcome).toEqual({ kind: 'declined', declineCode: 'generic_decline', isHard: false });
  });

  it('a fraudulent card is permanently declined', async () => {
    const { outcome } = await payWith(provider(), 'pm_card_radarBlock');
    expect(outcome).toEqual({ kind: 'declined', declineCode: 'fraudulent', isHard: true });
  });
}

function describeRepetition(provider: Provider): void {
  it('a charge that succeeded stays succeeded when it is confirmed again', async () => {
    const { charge } = await payWith(provider(), 'pm_card_visa');
    const again = await Promise.all(Array.from({ length: 4 }, () => provider().confirm(charge)));
    expect(again).toEqual(again.map(() => ({ kind: 'succeeded' })));
  });

  it('a charge that was declined stays declined when it is confirmed again', async () => {
    const { charge, outcome } = await payWith(provider(), 'pm_card_radarBlock');
    expect(await provider().confirm(charge)).toEqual(outcome);
    expect(await provider().lookup(charge)).toEqual(outcome);
  });
}

function describeAuthentication(
  provider: Provider,
  playCustomer: (secret: string, outcome: 'succeed' | 'fail') => Promise<void>,
): void {
  it('an on-session charge asks the customer, and succeeds once they have authenticated', async () => {
    const { charge, outcome } = await payWith(provider(), 'pm_card_authenticationRequired');
    expect(outcome).toEqual({ kind: 'requires_action', clientSecret: expect.stringMatching(/^\S{20,}$/) });
    expect(await provider().lookup(charge)).toEqual(outcome);
    expect(await provider().confirm(charge)).toEqual(outcome);
    await playCustomer(secretOf(outcome), 'succeed');
    expect(await provider().lookup(charge)).toEqual({ kind: 'succeeded' });
    expect(await provider().confirm(charge)).toEqual({ kind: 'succeeded' });
    expect(await provider().cancel(charge)).toEqual({ kind: 'succeeded' });
  });

  it('a charge is declined if the authentication fails, and can no longer be paid with the same secret', async () => {
    const { charge, outcome } = await payWith(provider(), 'pm_card_authenticationRequired');
    await playCustomer(secretOf(outcome), 'fail');
    const declined = { kind: 'declined', declineCode: 'authentication_failed', isHard: false };
    expect(await provider().lookup(charge)).toEqual(declined);
    expect(await provider().confirm(charge)).toEqual(declined);
    await playCustomer(secretOf(outcome), 'succeed').catch(() => undefined);
    expect(await provider().lookup(charge)).toEqual(declined);
  });

  it('a charge can be declined although the customer authenticated', async () => {
    const { charge, outcome } = await payWith(provider(), 'pm_card_threeDSecureRequiredChargeDeclined');
    await playCustomer(secretOf(outcome), 'succeed');
    expect(await provider().lookup(charge)).toMatchObject({ kind: 'declined', declineCode: 'generic_decline' });
  });

  it('an off-session charge that requires authentication is a decline that the customer can resolve', async () => {
    const { outcome } = await payWith(provider(), 'pm_card_authenticationRequired', {
      purpose: 'renewal',
      isOnSession: false,
    });
    expect(outcome).toEqual({ kind: 'declined', declineCode: 'authentication_required', isHard: false });
  });

  it.each(['create', 'change', 'pay'] as const)(
    'a card whose mandate comes from a %s pays renewals without the customer',
    async (purpose) => {
      const { payer, charge, outcome } = await payWith(provider(), 'pm_card_authenticationRequiredOnSetup', {
        purpose,
      });
      await playCustomer(secretOf(outcome), 'succeed');
      const renewal = chargeOf(payer, charge.methodRef, { purpose: 'renewal', isOnSession: false });
      expect(await provider().confirm(await prepared(provider(), renewal))).toEqual({ kind: 'succeeded' });
    },
  );
}

function describeLookups(provider: Provider): void {
  it('a lookup returns the outcome of a charge', async () => {
    const paid = await payWith(provider(), 'pm_card_visa');
    expect(await provider().lookup(paid.charge)).toEqual({ kind: 'succeeded' });
    const declined = await payWith(provider(), 'pm_card_chargeCustomerFail', { purpose: 'retry', isOnSession: false });
    expect(await provider().lookup(declined.charge)).toEqual(declined.outcome);
  });

  it('a lookup returns nothing for an unknown payment', async () => {
    expect(await provider().lookup({ paymentRef: 'pi_unknown', nowMs: NOW_MS })).toMatchObject({ kind: 'unknown' });
    expect(await provider().cancel({ paymentRef: 'pi_unknown', nowMs: NOW_MS })).toMatchObject({ kind: 'unknown' });
  });
}

function describeCanceling(provider: Provider): void {
  it('a charge that is canceled before it is confirmed is never collected', async () => {
    const payer = await createPayer(provider());
    const { ref } = await attachCard(provider(), payer, 'pm_card_visa');
    const charge = await prepared(provider(), chargeOf(payer, ref));
    expect(await provider().cancel(charge)).toEqual({ kind: 'canceled' });
    expect(await provider().cancel(charge)).toEqual({ kind: 'canceled' });
    expect(await provider().confirm(charge)).toEqual({ kind: 'canceled' });
    expect(await provider().lookup(charge)).toEqual({ kind: 'canceled' });
  });

  it('a charge that waits for the customer can be canceled', async () => {
    const { charge } = await payWith(provider(), 'pm_card_authenticationRequired');
    expect(await provider().cancel(charge)).toEqual({ kind: 'canceled' });
    expect(await provider().lookup(charge)).toEqual({ kind: 'canceled' });
  });

  it('a charge that succeeded cannot be canceled', async () => {
    const { charge } = await payWith(provider(), 'pm_card_visa');
    expect(await provider().cancel(charge)).toEqual({ kind: 'succeeded' });
  });

  it('confirming and canceling at the same time results in one of the two', async () => {
    const payer = await createPayer(provider());
    const { ref } = await attachCard(provider(), payer, 'pm_card_visa');
    const charge = await prepared(provider(), chargeOf(payer, ref));
    const [confirmed, canceled] = await Promise.all([provider().confirm(charge), provider().cancel(charge)]);
    const truth = await provider().lookup(charge);
    expect([{ kind: 'succeeded' }, { kind: 'canceled' }]).toContainEqual(truth);
    expect(confirmed).toEqual(truth);
    expect(canceled).toEqual(truth);
  });
}
