import { type Answer, type AuthorizedContext, httpError, runEffect } from '../../http/index.ts';
import { requireSandbox } from '../require-sandbox.ts';
import { beginAtClock } from './begin-at-clock.ts';
import type { CardTools } from './card-tools.ts';
import type { CardInput, MadePaymentMethod } from './schemas.ts';

/**
 * Creates a payment method from a test card's number, as a payment provider's form does in the browser. Only the brand, the
 * last four digits and the expiry are stored. Throws validation_failed if it is not a test card, and not_found in production.
 */
export async function createPaymentMethod(
  context: AuthorizedContext,
  tools: CardTools,
  input: CardInput,
): Promise<Answer<unknown>> {
  const cards = requireSandbox(tools.cards);
  const begun = await beginAtClock(context);
  if (begun.kind === 'answered') {
    return begun.answer;
  }
  const made = await cards.make(input, begun.nowMs);
  if (made.kind === 'refused') {
    const { field, reason } = made;
    throw httpError('validation_failed', MESSAGES[reason], { details: { field, reason } });
  }
  const { ref, brand, last4, expMonth, expYear } = made.card;
  const data: MadePaymentMethod = {
    id: ref,
    type: 'card',
    card: { brand, last4, exp_month: expMonth, exp_year: expYear },
  };
  return runEffect(context, async () => ({ data }));
}

/** None of them repeats the input. */
const MESSAGES = {
  incorrect_number: 'The card number is incorrect.',
  not_a_test_card: 'This is not a test card number. Real cards are never accepted in the sandbox.',
  invalid_expiry_month: 'The expiry month must be 1 to 12.',
  invalid_expiry_year: 'The card has expired, or its expiry year is too far in the future.',
  invalid_cvc: 'The security code has the wrong number of digits.',
} as const;
