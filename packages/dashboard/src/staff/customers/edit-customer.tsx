import { Textarea, TextInput } from '@mantine/core';
import type { ChangeOperatedOrganizationBody, OperatedOrganization } from '@seathold/client';
import { personalApi } from '../../api/index.ts';
import { FormDialog, useAction } from '../../ui/index.ts';
import { useCustomersText } from './messages.ts';
import { formatPairs, parsePairs } from './metadata-pairs.ts';

/** Changes the vendor's notes on a customer. */
export function EditCustomer({ customer, close }: { customer: OperatedOrganization; close: () => void }) {
  const t = useCustomersText();
  const save = useAction(
    (body: ChangeOperatedOrganizationBody) => personalApi().operator.changeOperatedOrganization(customer.id, body),
    { refreshes: [['staff', 'customers']], says: t('saved') },
  );
  return (
    <FormDialog title={t('edit')} isOpen close={close} submit={t('save')} action={save} read={readNotes}>
      <Textarea
        label={t('notes')}
        description={t('notes_hint')}
        name="notes"
        rows={5}
        maxLength={10_000}
        defaultValue={customer.notes ?? ''}
        data-autofocus
      />
      <TextInput
        label={t('external_id')}
        description={t('external_id_hint')}
        name="external_id"
        maxLength={255}
        defaultValue={customer.external_id ?? ''}
      />
      <Textarea
        label={t('metadata')}
        description={t('metadata_hint')}
        name="metadata"
        rows={3}
        defaultValue={formatPairs(customer.metadata)}
      />
    </FormDialog>
  );
}

function readNotes(form: FormData): ChangeOperatedOrganizationBody {
  const textOrNull = (name: string) => {
    const text = String(form.get(name)).trim();
    return text === '' ? null : text;
  };
  return {
    notes: textOrNull('notes'),
    external_id: textOrNull('external_id'),
    metadata: parsePairs(String(form.get('metadata'))),
  };
}
