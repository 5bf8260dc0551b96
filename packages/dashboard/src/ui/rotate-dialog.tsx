import { NativeSelect, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { FormDialog } from './dialogs.tsx';
import { useUiText } from './messages.ts';

const HOUR = 3_600;
const DAY = 86_400;

/** Replaces a secret, while the old one keeps working for as long as programs need to change over. */
export function RotateDialog<Output>(props: {
  title: string;
  text: string;
  submit: string;
  /** Describes the old secret during the chosen time. */
  overlap: string;
  isOpen: boolean;
  close: () => void;
  /** Gets the seconds for which the old one keeps working. */
  action: UseMutationResult<Output, Error, number>;
}) {
  const { title, text, submit, overlap, isOpen, close, action } = props;
  const t = useUiText();
  return (
    <FormDialog
      title={title}
      isOpen={isOpen}
      close={close}
      submit={submit}
      action={action}
      read={(form) => Number(form.get('overlap'))}
    >
      <Text size="sm">{text}</Text>
      <NativeSelect
        label={overlap}
        name="overlap"
        defaultValue={String(DAY)}
        data={[
          { value: '0', label: t('overlap_none') },
          { value: String(HOUR), label: t('overlap_hours', { count: 1 }) },
          { value: String(DAY), label: t('overlap_hours', { count: 24 }) },
          { value: String(7 * DAY), label: t('overlap_days', { count: 7 }) },
        ]}
      />
    </FormDialog>
  );
}
