import { type Answer, type AuthorizedContext, httpError, runBeginning, runEffect } from '../../http/index.ts';
import { requireSandbox } from '../require-sandbox.ts';
import type { CardTools } from './card-tools.ts';
import { readClock } from './queries.ts';
import type { CardInput, MadePaymentMethod } from './schemas.ts';

/**
 * Makes a payment method of a test card's number, as the form of a payment provider does in the browser. Nothing but the
 * brand, the last four digits and the expiry is kept. Throws validation_failed for what is no test card, and not_found in
 * production.
 */
export async function makePaymentMethod(
  context: AuthorizedContext,
  tools: CardTools,
  input: CardInput,
): Promise<Answer<unknown>> {
  const cards = requireSandbox(tools.cards);
  const begun = await runBeginning(context, async (tx) => ({
    unfinished: await readClock(tx, context.principal.clockOffsetMs),
  }));
  if (!('unfinished' in begun)) {
    return begun;
  }
  const made = await cards.make(input, begun.unfinished);
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

/** None of them repeats what was sent. */
const MESSAGES = {
  incorrect_number: 'The card number is incorrect.',
  not_a_test_card: 'This is not the number of a test card; real cards are never taken here.',
  invalid_expiry_month: 'The month of expiry must be 1 to 12.',
  invalid_expiry_year: 'The card has expired, or its year of expiry is too far away.',
  invalid_cvc: "The card's security code has a wrong number of digits.",
} as const;
