import { attachCard, chargeOf, createPayer, NOW_MS, type ProviderUnderTest, prepared } from './provider-under-test.ts';

/**
 * Plays the life of a few subscriptions with one provider. Returns its answers, without the names that only it uses.
 * Two providers with the same answers are interchangeable.
 */
export async function playScript({ provider, playCustomer }: ProviderUnderTest): Promise<string[]> {
  const said: string[] = [];
  const note = (what: string, outcome: object) => {
    said.push(`${what}: ${JSON.stringify(outcome, (key, value) => (OWN_NAMES.has(key) ? undefined : value))}`);
  };
  for (const token of TOKENS) {
    const payer = await createPayer(provider);
    const attached = await provider.attachMethod({ customerRef: payer.customerRef, token, nowMs: NOW_MS });
    note(`${token} attached`, attached.kind === 'attached' ? { ...attached.method, ref: undefined } : attached);
    if (attached.kind !== 'attached') {
      continue;
    }
    for (const step of STEPS) {
      const charge = await prepared(provider, chargeOf(payer, attached.method.ref, step));
      const outcome = await provider.confirm(charge);
      note(`${token} ${step.purpose}`, outcome);
      if (outcome.kind === 'requires_action') {
        await playCustomer(outcome.clientSecret, step.purpose === 'change' ? 'fail' : 'succeed');
      }
      note(`${token} ${step.purpose} later`, await provider.lookup(charge));
      note(`${token} ${step.purpose} canceled`, await provider.cancel(charge));
    }
    const spare = await attachCard(provider, payer, 'pm_card_mastercard');
    note('a spare card', { ...spare, ref: undefined });
    note('detached', await provider.detachMethod({ ...payer, methodRef: attached.method.ref }));
    note('charged then', await provider.prepare(chargeOf(payer, attached.method.ref, { purpose: 'renewal' })));
  }
  return said;
}

const OWN_NAMES: ReadonlySet<string> = new Set(['clientSecret', 'ref', 'paymentRef', 'expYear']);

/**
 * Not pm_card_chargeCustomerFail: the built-in provider lets it pay for a new subscription, so that dunning can be
 * tried.
 */
const TOKENS = [
  'pm_card_visa',
  'pm_card_visa_debit',
  'pm_card_mastercard',
  'pm_card_amex',
  'pm_card_discover',
  'pm_card_chargeDeclined',
  'pm_card_visa_chargeDeclinedInsufficientFunds',
  'pm_card_visa_chargeDeclinedLostCard',
  'pm_card_chargeDeclinedExpiredCard',
  'pm_card_radarBlock',
  'pm_card_authenticationRequired',
  'pm_card_authenticationRequiredOnSetup',
  'pm_card_authenticationRequiredSetupForOffSession',
  'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
  'pm_card_threeDSecure2Required',
  'pm_card_threeDSecureRequiredChargeDeclined',
  'pm_card_threeDSecureOptional',
  'pm_card_unheardOf',
];

const STEPS = [
  { purpose: 'renewal', isOnSession: false },
  { purpose: 'create', isOnSession: true },
  { purpose: 'renewal', isOnSession: false },
  { purpose: 'change', isOnSession: true },
  { purpose: 'retry', isOnSession: false },
  { purpose: 'pay', isOnSession: true },
] as const;
