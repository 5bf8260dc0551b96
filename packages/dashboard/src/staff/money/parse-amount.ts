/** The input pattern for an amount in a currency, with at most its number of decimals after the point or comma. */
export function amountPattern(currency: string): string {
  const digits = fractionDigitsOf(currency);
  return digits === 0 ? '\\s*[0-9]{1,10}\\s*' : `\\s*[0-9]{1,10}([.,][0-9]{1,${digits}})?\\s*`;
}

/** Reads an amount as people write it, with a point or a comma, in minor units of its currency. */
export function parseAmount(text: string, currency: string): number {
  const digits = fractionDigitsOf(currency);
  const [whole = '', fraction = ''] = text.trim().split(/[.,]/);
  // By its digits: 0.29 * 100 is less than 29.
  return Number(whole + fraction.padEnd(digits, '0'));
}

function fractionDigitsOf(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    // An invalid currency is reported by the service.
    return 2;
  }
}
