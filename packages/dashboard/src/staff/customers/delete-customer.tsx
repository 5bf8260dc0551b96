import { Text, TextInput } from '@mantine/core';
import type { OperatedOrganization } from '@seathold/client';
import { useNavigate } from '@tanstack/react-router';
import { personalApi } from '../../api/index.ts';
import { FormDialog, useAction } from '../../ui/index.ts';
import { useCustomersText } from './messages.ts';

/** Deletes a customer, after their name has been typed. */
export function DeleteCustomer({ customer, close }: { customer: OperatedOrganization; close: () => void }) {
  const t = useCustomersText();
  const navigate = useNavigate();
  const { id, name } = customer;
  const remove = useAction((confirm: string) => personalApi().operator.deleteOperatedOrganization(id, { confirm }), {
    says: t('was_deleted', { name }),
    succeeds: () => void navigate({ to: '/staff/customers' }),
    refreshes: [['staff', 'customers', {}]],
  });
  return (
    <FormDialog
      title={t('delete_title', { name })}
      isOpen
      close={close}
      submit={t('delete')}
      action={remove}
      read={(form) => String(form.get('confirm'))}
      isDangerous
    >
      <Text size="sm">{t('delete_text')}</Text>
      <TextInput label={t('delete_confirm', { name })} name="confirm" autoComplete="off" required data-autofocus />
    </FormDialog>
  );
}
