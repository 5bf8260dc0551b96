import type { Invoice } from '@seathold/client';

/** The unpaid amount of an invoice, in minor units. Its `amount_due` does not change when it is paid. */
export function balanceDue({ status, amount_due: due, amount_paid: paid }: Invoice): number {
  return status === 'void' ? 0 : due - paid;
}
