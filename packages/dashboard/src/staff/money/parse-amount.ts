/** What the browser accepts as an amount of a currency: no more digits after the point or comma than it has minor units. */
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
    // No currency at all: the service says so.
    return 2;
  }
}
