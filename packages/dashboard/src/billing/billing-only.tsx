import type { ReactNode } from 'react';
import { useHasRole } from '../api/index.ts';
import { EmptyState, type IconName } from '../ui/index.ts';
import { useBillingText } from './messages.ts';

/** Shows its children to people with the role billing or higher, and tells others why they do not see them. */
export function BillingOnly({ icon, children }: { icon: IconName; children: ReactNode }) {
  const t = useBillingText();
  return useHasRole('billing') ? (
    children
  ) : (
    <div className="card">
      <EmptyState icon={icon} title={t('forbidden_title')} text={t('forbidden_text')} />
    </div>
  );
}
