/** A time for people: UTC, to the minute. */
export function formatTime(time: string | null): string | null {
  return time === null ? null : time.slice(0, 16).replace('T', ' ');
}

/** An amount of minor units, for example 12.50 USD. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const value = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${value.format(amount / 10 ** digits)} ${currency.toUpperCase()}`;
}

/** A date on which something ends, or never. */
export function formatExpiry(time: string | null): string {
  return formatTime(time) ?? 'never';
}
