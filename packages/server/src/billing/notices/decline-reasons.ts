/**
 * Why a payment was declined, in a sentence for the customer. Excludes lost and stolen cards and suspected fraud, which
 * Stripe asks not to reveal to the cardholder.
 */
export function reasonOf(declineCode: string): string {
  const reason = Object.hasOwn(REASONS, declineCode) ? REASONS[declineCode] : undefined;
  return reason ?? `Your bank did not give a reason that we can share (${shown(declineCode)}).`;
}

function shown(code: string): string {
  return PRIVATE.has(code) ? 'generic_decline' : code;
}

const PRIVATE: ReadonlySet<string> = new Set([
  'fraudulent',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'stolen_card',
]);

const REASONS: Readonly<Record<string, string>> = {
  authentication_failed: 'The payment could not be authenticated.',
  authentication_required: 'Your bank requires you to authenticate this payment.',
  card_not_supported: 'Your card does not support this kind of purchase.',
  card_velocity_exceeded: 'Your card has exceeded its limit.',
  currency_not_supported: 'Your card does not support this currency.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  incorrect_number: 'Your card number is incorrect.',
  incorrect_zip: "Your card's postal code is incorrect.",
  insufficient_funds: 'Your card has insufficient funds.',
  invalid_cvc: "Your card's security code is incorrect.",
  no_payment_method: 'There is no default payment method.',
  processing_error: 'An error occurred while your card was being processed.',
};
