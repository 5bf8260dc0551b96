import { useLanguage } from '../i18n/index.ts';
import { numberFormat } from './formats.ts';

/** Formats minor currency units in the reader's language, with the currency's number of decimals. */
export function useMoney(): (amount: number, currency: string) => string {
  const language = useLanguage();
  return (amount, currency) => {
    const format = numberFormat(language, { style: 'currency', currency });
    return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  };
}
