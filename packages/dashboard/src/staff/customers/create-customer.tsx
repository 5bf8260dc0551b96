import { TextInput } from '@mantine/core';
import type { CreateOperatedOrganizationBody } from '@seathold/client';
import { useNavigate } from '@tanstack/react-router';
import { personalApi } from '../../api/index.ts';
import { FormDialog, useAction } from '../../ui/index.ts';
import { useCustomersText } from './messages.ts';

/** The dialog that creates an organization and invites its first admin. */
export function CreateCustomer({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const t = useCustomersText();
  const navigate = useNavigate();
  const create = useAction(
    (body: CreateOperatedOrganizationBody) => personalApi().operator.createOperatedOrganization(body),
    {
      refreshes: [['staff', 'customers']],
      says: (_, { admin_email: email }) => t('was_created', { email }),
      succeeds: ({ id }) => void navigate({ href: `/staff/customers/${id}` }),
    },
  );
  return (
    <FormDialog
      title={t('create')}
      isOpen={isOpen}
      close={close}
      submit={t('create')}
      action={create}
      read={readCustomer}
    >
      <TextInput label={t('name')} name="name" maxLength={100} required data-autofocus />
      <TextInput
        label={t('admin_email')}
        description={t('admin_email_hint')}
        name="admin_email"
        type="email"
        maxLength={254}
        required
      />
      <TextInput label={t('external_id')} description={t('external_id_hint')} name="external_id" maxLength={255} />
    </FormDialog>
  );
}

function readCustomer(form: FormData): CreateOperatedOrganizationBody {
  const textOf = (name: string) => String(form.get(name)).trim();
  const externalId = textOf('external_id');
  return {
    name: textOf('name'),
    admin_email: textOf('admin_email'),
    ...(externalId === '' ? {} : { external_id: externalId }),
  };
}
