import type { ReactNode } from 'react';
import { useFacts } from './facts.ts';
import { useAppText } from './messages.ts';

/** Says on every screen that this is the sandbox. Production has no band, so that the two are never confused. */
export function EnvironmentBand({ children }: { children?: ReactNode }) {
  const t = useAppText();
  const { environment, production_url: productionUrl } = useFacts();
  if (environment === 'production') {
    return null;
  }
  return (
    <section className="environment" aria-label={t('sandbox')}>
      <span>{t('sandbox')}</span>
      <span className="environment-note">{t('sandbox_note')}</span>
      <a href={productionUrl}>{t('to_production')}</a>
      {children}
    </section>
  );
}
