import { Button } from '@mantine/core';
import { SeatholdError } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { logOut, personalApi, type StaffRole, useCurrentUser } from '../../api/index.ts';
import { Command } from '../../app/command.tsx';
import { EmptyState, Loaded } from '../../ui/index.ts';
import { useStaffText } from './messages.ts';

/** Shows the staff's screens to staff who passed two-factor authentication, and tells everyone else what is missing. */
export function StaffArea() {
  const { staff, two_factor_enabled: hasTwoFactor } = useCurrentUser();
  if (staff === null) {
    return <NotStaff />;
  }
  return hasTwoFactor ? <Admitted role={staff.role} /> : <TurnOnTwoFactor role={staff.role} />;
}

/** Only the service knows whether this login passed two-factor authentication. */
function Admitted({ role }: { role: StaffRole }) {
  const query = useQuery({ queryKey: ['staff', 'admission', role], queryFn: askAdmission, staleTime: 300_000 });
  return (
    <Loaded query={query} height={480}>
      {(isAdmitted) => (isAdmitted ? <Outlet /> : <LogInAgain role={role} />)}
    </Loaded>
  );
}

async function askAdmission(): Promise<boolean> {
  try {
    await personalApi().operator.listStaff({ limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof SeatholdError && error.has('two_factor_required')) {
      return false;
    }
    throw error;
  }
}

function NotStaff() {
  const t = useStaffText();
  const { email } = useCurrentUser();
  return (
    <Notice title={t('no_staff_title')} text={t('no_staff_text')}>
      <Command text={`seathold staff add ${email} --role viewer`} label={t('no_staff_title')} />
      <Button component={Link} to="/" mt="md" variant="default">
        {t('to_overview')}
      </Button>
    </Notice>
  );
}

function TurnOnTwoFactor({ role }: { role: StaffRole }) {
  const t = useStaffText();
  return (
    <Notice title={t('two_factor_title')} text={t('two_factor_text', { role: t(role) })}>
      <Button component={Link} to="/account">
        {t('two_factor_button')}
      </Button>
    </Notice>
  );
}

function LogInAgain({ role }: { role: StaffRole }) {
  const t = useStaffText();
  return (
    <Notice title={t('login_title')} text={t('login_text', { role: t(role) })}>
      <Button onClick={() => void logOut('/login?next=%2Fstaff')}>{t('login_button')}</Button>
    </Notice>
  );
}

function Notice({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="card">
      <EmptyState icon="staff" level={1} title={title} text={text}>
        {children}
      </EmptyState>
    </div>
  );
}
