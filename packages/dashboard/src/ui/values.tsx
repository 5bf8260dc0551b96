import { useSyncExternalStore } from 'react';
import { useClockOffset } from '../api/index.ts';
import { useLanguage } from '../i18n/index.ts';
import { describeTime, MINUTE_MS } from './describe-time.ts';
import { dateFormat, numberFormat } from './formats.ts';
import { useUiText } from './messages.ts';

/** A moment in the reader's own zone: how long ago, or the date, with the exact time as a tooltip. */
export function Time({ at, isExact = false }: { at: string | null; isExact?: boolean }) {
  const t = useUiText();
  const language = useLanguage();
  const nowMs = useSyncExternalStore(subscribeToMinutes, readMinute);
  // Some times are by the organization's clock, others are real. Either reference would be wrong for the others.
  const isMoved = useClockOffset() > 0;
  if (at === null) {
    return <>{t('never')}</>;
  }
  const date = new Date(at);
  const exact = formatExactly(date, language);
  return (
    <time dateTime={at} title={exact}>
      {isExact || isMoved ? exact : describeTime(date, nowMs, language)}
    </time>
  );
}

/** Formats a moment with its date and time, in the reader's own zone. */
export function useExactTime(): (at: string) => string {
  const language = useLanguage();
  return (at) => formatExactly(new Date(at), language);
}

function formatExactly(date: Date, language: string): string {
  return dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

function readMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
}

function subscribeToMinutes(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE_MS / 4);
  return () => clearInterval(timer);
}

/** Formats a percentage in the reader's language. */
export function usePercent(): (percent: number) => string {
  const language = useLanguage();
  return (percent) => numberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(percent / 100);
}

/** Formats a number in the reader's language. */
export function useNumber(): (value: number) => string {
  const language = useLanguage();
  return (value) => numberFormat(language, {}).format(value);
}
