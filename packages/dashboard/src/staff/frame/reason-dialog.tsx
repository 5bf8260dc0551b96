import { Text, Textarea } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { FormDialog } from '../../ui/index.ts';
import { useStaffText } from './messages.ts';

interface ReasonDialogProps<Output> {
  title: string;
  /** Describes what happens, and what is lost. */
  text: string;
  submit: string;
  close: () => void;
  action: UseMutationResult<Output, Error, string>;
  isDangerous?: boolean;
  /** Tells who can read the reason. */
  hint: string;
}

/** Asks for confirmation and a reason. */
export function ReasonDialog<Output>(props: ReasonDialogProps<Output>) {
  const { title, text, submit, close, action, isDangerous = false, hint } = props;
  const t = useStaffText();
  return (
    <FormDialog
      title={title}
      isOpen
      close={close}
      submit={submit}
      action={action}
      read={(form) => String(form.get('reason')).trim()}
      isDangerous={isDangerous}
    >
      <Text size="sm">{text}</Text>
      <Textarea label={t('reason')} description={hint} name="reason" rows={2} maxLength={500} required data-autofocus />
    </FormDialog>
  );
}
