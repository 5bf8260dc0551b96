import { Button } from '@mantine/core';
import type { ChangeOperatedOrganizationBody, OperatedOrganization } from '@seathold/client';
import { useState } from 'react';
import { personalApi } from '../../api/index.ts';
import { ConfirmDialog, useAction } from '../../ui/index.ts';
import { GuardedButton, ReasonDialog } from '../frame/index.ts';
import { GrantCredit } from '../money/grant-credit.tsx';
import { useMoneyText } from '../money/messages.ts';
import { DeleteCustomer } from './delete-customer.tsx';
import { EditCustomer } from './edit-customer.tsx';
import { useCustomersText } from './messages.ts';

type Asked = 'edit' | 'credit' | 'suspend' | 'reinstate' | 'delete';

const REFRESHES = [['staff', 'customers']] as const;

/** What staff can do with a customer. */
export function CustomerActions({ customer }: { customer: OperatedOrganization }) {
  const t = useCustomersText();
  const money = useMoneyText();
  const [asked, setAsked] = useState<Asked>();
  const common = { customer, close: () => setAsked(undefined) };
  return (
    <>
      <Button component="a" href={`/act-for/${customer.id}/`}>
        {t('act')}
      </Button>
      <GuardedButton needs="support" variant="default" onClick={() => setAsked('edit')}>
        {t('edit')}
      </GuardedButton>
      <GuardedButton needs="finance" variant="default" onClick={() => setAsked('credit')}>
        {money('credit')}
      </GuardedButton>
      {customer.status === 'active' ? (
        <GuardedButton needs="owner" variant="default" onClick={() => setAsked('suspend')}>
          {t('suspend')}
        </GuardedButton>
      ) : (
        <GuardedButton needs="owner" variant="default" onClick={() => setAsked('reinstate')}>
          {t('reinstate')}
        </GuardedButton>
      )}
      <GuardedButton needs="owner" variant="default" onClick={() => setAsked('delete')}>
        {t('delete')}
      </GuardedButton>
      {asked === 'edit' && <EditCustomer {...common} />}
      {asked === 'credit' && <GrantCredit {...common} />}
      {asked === 'suspend' && <SuspendCustomer {...common} />}
      {asked === 'reinstate' && <ReinstateCustomer {...common} />}
      {asked === 'delete' && <DeleteCustomer {...common} />}
    </>
  );
}

function SuspendCustomer({ customer: { id, name }, close }: { customer: OperatedOrganization; close: () => void }) {
  const t = useCustomersText();
  const suspend = useAction(
    (reason: string) => personalApi().operator.changeOperatedOrganization(id, { status: 'suspended', reason }),
    { refreshes: REFRESHES, says: t('was_suspended', { name }) },
  );
  return (
    <ReasonDialog
      title={t('suspend_title', { name })}
      text={t('suspend_text')}
      hint={t('suspend_hint')}
      submit={t('suspend')}
      close={close}
      action={suspend}
      isDangerous
    />
  );
}

function ReinstateCustomer({ customer: { id, name }, close }: { customer: OperatedOrganization; close: () => void }) {
  const t = useCustomersText();
  const reinstate = useAction(
    (body: ChangeOperatedOrganizationBody) => personalApi().operator.changeOperatedOrganization(id, body),
    { refreshes: REFRESHES, says: t('was_reinstated', { name }) },
  );
  return (
    <ConfirmDialog
      title={t('reinstate_title', { name })}
      text={t('reinstate_text')}
      submit={t('reinstate')}
      isOpen
      close={close}
      action={reinstate}
      input={{ status: 'active' }}
    />
  );
}
