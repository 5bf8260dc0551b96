import { useQuery } from '@tanstack/react-query';
import { lazy, type MouseEvent, Suspense, useRef, useState } from 'react';
import { sandboxClock } from '../api/index.ts';
import { Icon, useExactTime } from '../ui/index.ts';
import { DAY_SECONDS, secondsToNextMonth } from './clock-rules.ts';
import { useSandboxText } from './messages.ts';
import './clock-bar.css';

const ClockDialog = lazy(async () => ({ default: (await import('./clock-dialog.tsx')).ClockDialog }));

/** The organization's clock, and controls to move it. On a narrow screen, all are in the dialog. */
export function ClockBar() {
  const t = useSandboxText();
  const exact = useExactTime();
  // Seconds to move immediately; 0 only shows the clock.
  const [asked, setAsked] = useState<number>();
  const opener = useRef<HTMLButtonElement>(null);
  const ask = (seconds: number) => (event: MouseEvent<HTMLButtonElement>) => {
    opener.current = event.currentTarget;
    setAsked(seconds);
  };
  const close = () => {
    setAsked(undefined);
    opener.current?.focus();
  };
  const { data: clock } = useQuery({ ...sandboxClock, refetchInterval: 60_000 });
  const time = clock === undefined ? undefined : exact(clock.now);
  const monthSeconds = secondsToNextMonth(Date.parse(clock?.now ?? '') || Date.now());
  const isKnown = clock !== undefined;
  return (
    <span className="clock-bar">
      <button type="button" aria-label={time === undefined ? t('clock') : t('clock_at', { time })} onClick={ask(0)}>
        <Icon name="clock" size={16} />
        <span className="clock-time clock-now">{time}</span>
      </button>
      <button
        type="button"
        className="clock-wide"
        aria-label={t('advance_day')}
        disabled={!isKnown}
        onClick={ask(DAY_SECONDS)}
      >
        {t('plus_day')}
      </button>
      <button
        type="button"
        className="clock-wide"
        aria-label={t('advance_month')}
        disabled={!isKnown}
        onClick={ask(monthSeconds)}
      >
        {t('plus_month')}
      </button>
      {asked !== undefined && (
        <Suspense>
          <ClockDialog seconds={asked} close={close} />
        </Suspense>
      )}
    </span>
  );
}
