import type { PaymentMethod } from '@seathold/client';

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** A card's display name. */
export function cardName({ card: { brand, last4 } }: Pick<PaymentMethod, 'card'>): string {
  return `${BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)} •••• ${last4}`;
}

/** The expiry month of a card, as printed on it. */
export function cardExpiry({ card: { exp_month: month, exp_year: year } }: Pick<PaymentMethod, 'card'>): string {
  return `${String(month).padStart(2, '0')}/${String(year).slice(-2)}`;
}
