/** A card as people know it, for example Visa ending in 4242. */
export function cardName({ brand, last4 }: { brand: string; last4: string }): string {
  return `${Object.hasOwn(BRANDS, brand) ? BRANDS[brand] : brand} ending in ${last4}`;
}

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};
