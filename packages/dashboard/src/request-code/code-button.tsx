import { lazy, Suspense, useRef } from 'react';
import { askForCode, useIsCodeAsked } from '../api/index.ts';
import { Icon } from '../ui/index.ts';
import { useRequestCodeText } from './messages.ts';

const CodeDialog = lazy(async () => ({ default: (await import('./code-dialog.tsx')).CodeDialog }));

/** Shows the last action, and the screen's requests, as code. */
export function CodeButton() {
  const t = useRequestCodeText();
  const isAsked = useIsCodeAsked();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    askForCode(false);
    // The toast that opened it may be gone.
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label={t('show')}
        title={t('show')}
        onClick={() => askForCode(true)}
      >
        <Icon name="code" size={20} />
      </button>
      {isAsked && (
        <Suspense>
          <CodeDialog close={close} />
        </Suspense>
      )}
    </>
  );
}
