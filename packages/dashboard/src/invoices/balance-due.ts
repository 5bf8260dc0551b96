import type { Invoice } from '@seathold/client';

/** What is left to pay of an invoice, in minor units. Its `amount_due` stays as it was when it is paid. */
export function balanceDue({ status, amount_due: due, amount_paid: paid }: Invoice): number {
  return status === 'void' ? 0 : due - paid;
}
