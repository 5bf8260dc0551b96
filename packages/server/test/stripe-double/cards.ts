import type { CardDecline } from './stripe-fault.ts';

/** How one of Stripe's test cards behaves. */
export interface TestCard {
  brand: string;
  last4: string;
  /** Refused when it is attached, and therefore never charged. */
  refusedAtAttach?: CardDecline;
  /**
   * What an SCA issuer asks for. `always`: each payment. `until_set_up`: each payment on session, and off session as
   * long as the card has no mandate. `on_session`: only on session, because it already has its mandate.
   */
  authentication?: 'always' | 'until_set_up' | 'on_session';
  /** The outcome of a charge, after any authentication. */
  charge?: CardDecline;
}

const declined = (declineCode: string): CardDecline => ({ code: 'card_declined', declineCode });
const named = (code: string): CardDecline => ({ code, declineCode: code });
const visa = (last4: string, card: Omit<TestCard, 'brand' | 'last4'> = {}): TestCard => ({
  brand: 'visa',
  last4,
  ...card,
});

/** Stripe's test cards, by name. */
export const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  pm_card_visa: visa('4242'),
  pm_card_visa_debit: visa('5556'),
  pm_card_mastercard: { brand: 'mastercard', last4: '4444' },
  pm_card_amex: { brand: 'amex', last4: '0005' },
  pm_card_discover: { brand: 'discover', last4: '1117' },
  pm_card_chargeDeclined: visa('0002', { refusedAtAttach: declined('generic_decline') }),
  pm_card_visa_chargeDeclined: visa('0002', { refusedAtAttach: declined('generic_decline') }),
  pm_card_chargeDeclinedInsufficientFunds: visa('9995', { refusedAtAttach: declined('insufficient_funds') }),
  pm_card_visa_chargeDeclinedInsufficientFunds: visa('9995', { refusedAtAttach: declined('insufficient_funds') }),
  pm_card_visa_chargeDeclinedLostCard: visa('9987', { refusedAtAttach: declined('lost_card') }),
  pm_card_visa_chargeDeclinedStolenCard: visa('9979', { refusedAtAttach: declined('stolen_card') }),
  pm_card_chargeDeclinedExpiredCard: visa('0069', { refusedAtAttach: named('expired_card') }),
  pm_card_chargeDeclinedIncorrectCvc: visa('0127', { refusedAtAttach: named('incorrect_cvc') }),
  // Stripe gives no decline code with this one.
  pm_card_chargeDeclinedProcessingError: visa('0119', { refusedAtAttach: { code: 'processing_error' } }),
  pm_card_visa_chargeDeclinedVelocityLimitExceeded: visa('6975', {
    refusedAtAttach: declined('card_velocity_exceeded'),
  }),
  pm_card_chargeCustomerFail: visa('0341', { charge: declined('generic_decline') }),
  pm_card_radarBlock: visa('0019', { charge: declined('fraudulent') }),
  pm_card_authenticationRequiredOnSetup: visa('3155', { authentication: 'until_set_up' }),
  pm_card_authenticationRequired: visa('3184', { authentication: 'always' }),
  pm_card_authenticationRequiredSetupForOffSession: visa('0446', { authentication: 'on_session' }),
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: visa('3178', {
    authentication: 'always',
    charge: declined('insufficient_funds'),
  }),
  pm_card_threeDSecure2Required: visa('3220', { authentication: 'always' }),
  pm_card_threeDSecureRequiredChargeDeclined: visa('1629', {
    authentication: 'always',
    charge: declined('generic_decline'),
  }),
  pm_card_threeDSecureOptional: visa('3055'),
};
