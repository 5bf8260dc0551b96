import { actingFor, useCurrentUser } from '../../api/index.ts';
import { useActingText } from './messages.ts';
import './acting.css';

/** Shows on every screen that it is a customer's data, and that changes are made for them. One click leaves. */
export function ActingBanner() {
  const t = useActingText();
  const { organization, staff } = useCurrentUser();
  if (actingFor === undefined) {
    return null;
  }
  return (
    <section className="acting" aria-label={t('label')}>
      <span className="acting-text" title={organization.name}>
        {t('acting_for')} <strong>{organization.name}</strong>
        <span className="acting-note"> {t(`note_${staff?.role ?? 'viewer'}`)}</span>
      </span>
      {/* Not a link of the router: the page reloads, so that nothing of the customer stays in memory. */}
      <a href={`/staff/customers/${actingFor}`}>{t('stop')}</a>
    </section>
  );
}

/** A frame around the whole window. */
export function ActingFrame() {
  return actingFor === undefined ? null : <div className="acting-frame" />;
}
