import { SeatholdError } from '@seathold/client';
import { reasonOf } from './decline-reasons.ts';
import { useBillingText } from './messages.ts';

/** Tells in the reader's language why a payment failed; undefined for other errors. */
export function usePaymentFailure(): (error: unknown) => string | undefined {
  const t = useBillingText();
  return (error) => {
    if (!(error instanceof SeatholdError)) {
      return undefined;
    }
    if (error.has('payment_failed')) {
      return `${t(`declined_${reasonOf(error.details.decline_code)}`)} ${t('nothing_charged')}`;
    }
    if (error.has('payment_method_in_use')) {
      return t('method_in_use');
    }
    return error.details.reason === 'payments_not_configured' ? t('not_configured') : undefined;
  };
}
