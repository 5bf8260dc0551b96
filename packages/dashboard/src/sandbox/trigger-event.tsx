import { lazy, Suspense, useRef, useState } from 'react';
import { Icon } from '../ui/index.ts';
import { useSandboxText } from './messages.ts';
import './clock-bar.css';

const TestEventDialog = lazy(async () => ({
  default: (await import('../events/test-event-dialog.tsx')).TestEventDialog,
}));

/** Sends a test event to an endpoint, from every screen of the sandbox. */
export function TriggerEvent() {
  const t = useSandboxText();
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <span className="clock-bar">
      <button ref={opener} type="button" aria-label={t('trigger_event')} onClick={() => setOpen(true)}>
        <Icon name="event" size={16} />
        <span className="clock-time">{t('trigger_event')}</span>
      </button>
      {isOpen && (
        <Suspense>
          <TestEventDialog isOpen close={close} />
        </Suspense>
      )}
    </span>
  );
}
