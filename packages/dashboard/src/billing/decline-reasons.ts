const REASONS = [
  'authentication_failed',
  'authentication_required',
  'card_not_supported',
  'card_velocity_exceeded',
  'currency_not_supported',
  'expired_card',
  'incorrect_cvc',
  'incorrect_number',
  'incorrect_zip',
  'insufficient_funds',
  'no_payment_method',
  'processing_error',
] as const;

/** The reasons that customers can act on; all others are only shown as "declined". */
export function reasonOf(declineCode: string): (typeof REASONS)[number] | 'generally' {
  const code = declineCode === 'invalid_cvc' ? 'incorrect_cvc' : declineCode;
  return REASONS.find((reason) => reason === code) ?? 'generally';
}
