import { type Answer, type AuthorizedContext, httpError, notFound, runEffect } from '../../http/index.ts';
import { requireSandbox } from '../require-sandbox.ts';
import { beginAtClock } from './begin-at-clock.ts';
import type { CardTools } from './card-tools.ts';
import type { ConfirmationInput, ConfirmedPayment } from './schemas.ts';

/**
 * Acts as the customer who is asked to authenticate a payment of the organization. The consequences are written when this
 * returns. Throws not_found for another organization's secret and in production, and conflict if the payment is not waiting.
 */
export async function confirmPayment(
  context: AuthorizedContext,
  tools: CardTools,
  { client_secret: clientSecret, outcome: act }: ConfirmationInput,
): Promise<Answer<unknown>> {
  const cards = requireSandbox(tools.cards);
  const begun = await beginAtClock(context);
  if (begun.kind === 'answered') {
    return begun.answer;
  }
  const played = await cards.playCustomer(clientSecret, act, begun.nowMs, context.principal.organizationId);
  if (played === 'not_found') {
    throw notFound('payment');
  }
  if (played === 'not_waiting') {
    throw httpError('conflict', 'This payment is not waiting for authentication.');
  }
  await tools.settleByRef('test', played.paymentRef);
  const { outcome } = played;
  const data: ConfirmedPayment = {
    status: outcome.kind,
    decline_code: outcome.kind === 'declined' ? outcome.declineCode : null,
  };
  return runEffect(context, async () => ({ data }));
}
