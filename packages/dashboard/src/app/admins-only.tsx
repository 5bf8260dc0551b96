import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useHasRole } from '../api/index.ts';
import { EmptyState, useTitle } from '../ui/index.ts';
import { useAppText } from './messages.ts';

/** For screens that are only for admins. Other screens hide what the role does not allow. */
const ADMINS_ONLY = /^\/(webhooks|events|audit-log)(\/|$)/;

/** Tells people who open an admin's link why they see nothing there. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const isAdmin = useHasRole('admin');
  return isAdmin || !ADMINS_ONLY.test(pathname) ? children : <Refusal />;
}

function Refusal() {
  const t = useAppText();
  useTitle(t('admins_only'));
  return (
    <div className="card">
      <EmptyState icon="members" level={1} title={t('admins_only')} text={t('admins_only_hint')} />
    </div>
  );
}
