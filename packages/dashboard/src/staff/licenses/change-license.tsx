import { Button, Group, TextInput } from '@mantine/core';
import type { ChangeOperatorLicenseBody, OperatorLicense } from '@seathold/client';
import { useState } from 'react';
import { personalApi } from '../../api/index.ts';
import { FormDialog, useAction } from '../../ui/index.ts';
import { fromLocalInput, toLocalInput } from '../frame/index.ts';
import { findChangedTerms } from './changed-terms.ts';
import { useStaffLicensesText } from './messages.ts';
import { readTerms, TermsFields } from './terms-fields.tsx';

interface ChangeProps {
  license: OperatorLicense;
  close: () => void;
}

/** Changes what a license allows. */
export function ChangeLicense({ license, close }: ChangeProps) {
  const t = useStaffLicensesText();
  const change = useChange(license);
  return (
    <FormDialog
      title={t('change')}
      isOpen
      close={close}
      submit={t('save')}
      action={change}
      read={(form) => findChangedTerms(license, readTerms(form))}
    >
      <TermsFields license={license} />
    </FormDialog>
  );
}

/** Lets a license end later. */
export function ExtendLicense({ license, close }: ChangeProps) {
  const t = useStaffLicensesText();
  const change = useChange(license);
  const [end, setEnd] = useState(() => toLocalInput(license.expires_at ?? new Date()));
  const choices = [
    ['month', 1],
    ['year', 12],
  ] as const;
  return (
    <FormDialog
      title={t('extend')}
      isOpen
      close={close}
      submit={t('extend')}
      action={change}
      read={() => ({ expires_at: fromLocalInput(end) })}
    >
      <TextInput
        label={t('expires')}
        description={t('expires_hint')}
        type="datetime-local"
        value={end}
        onChange={({ currentTarget }) => setEnd(currentTarget.value)}
        data-autofocus
      />
      <Group gap="xs">
        {choices.map(([name, months]) => (
          <Button key={name} size="xs" variant="default" onClick={() => setEnd(addMonths(license.expires_at, months))}>
            {t(`extend_${name}`)}
          </Button>
        ))}
        <Button size="xs" variant="default" onClick={() => setEnd('')}>
          {t('extend_forever')}
        </Button>
      </Group>
    </FormDialog>
  );
}

/** From its current end, or from now if it has expired. */
function addMonths(end: string | null, months: number): string {
  const date = new Date(Math.max(Date.now(), end === null ? 0 : Date.parse(end)));
  const day = date.getDate();
  date.setMonth(date.getMonth() + months);
  if (date.getDate() !== day) {
    // If the month has no such day, the last one.
    date.setDate(0);
  }
  return toLocalInput(date);
}

function useChange({ id }: OperatorLicense) {
  const t = useStaffLicensesText();
  return useAction(
    async (change: ChangeOperatorLicenseBody) => {
      if (Object.keys(change).length > 0) {
        await personalApi().operator.changeLicense(id, change);
      }
    },
    { refreshes: [['staff', 'licenses']], says: t('was_changed') },
  );
}
