import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { CopyButton } from './copy.tsx';
import { useUiText } from './messages.ts';
import { Problem } from './problem.tsx';

/** A dialog. Its heading is not a header element, which screen readers would announce as a banner. */
export function Dialog(props: Omit<ModalProps, 'attributes'>) {
  return <Modal centered {...props} attributes={{ header: { role: 'presentation' } }} />;
}

interface FormDialogProps<Input, Output> {
  title: string;
  isOpen: boolean;
  close: () => void;
  /** The label of the button. */
  submit: string;
  action: UseMutationResult<Output, Error, Input>;
  /** The input of the action. */
  read: (form: FormData) => Input;
  /** Whether the action is destructive. */
  isDangerous?: boolean;
  /** Whether there is nothing to send yet. */
  isIdle?: boolean;
  /** The label of the cancel button; "Cancel" if undefined. */
  dismiss?: string;
  /** A better message for an error than the API's; undefined uses the API's. */
  explain?: (error: Error) => string | undefined;
  children: ReactNode;
}

/** A form in a dialog, which stays open with an error. */
export function FormDialog<Input, Output>(props: FormDialogProps<Input, Output>) {
  const {
    title,
    isOpen,
    close,
    submit,
    action,
    read,
    isDangerous = false,
    dismiss,
    isIdle = false,
    explain,
    children,
  } = props;
  const t = useUiText();
  const leave = () => {
    action.reset();
    close();
  };
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    action.mutate(read(new FormData(event.currentTarget)), { onSuccess: leave });
  };
  return (
    <Dialog opened={isOpen} onClose={leave} title={title} closeButtonProps={{ 'aria-label': t('cancel') }}>
      <form onSubmit={send}>
        <Stack gap="md">
          {children}
          {action.isError && <Problem error={action.error} text={explain?.(action.error)} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={leave}>
              {dismiss ?? t('cancel')}
            </Button>
            <Button
              type="submit"
              disabled={isIdle}
              loading={action.isPending}
              {...(isDangerous ? { color: 'red' } : {})}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Asks for confirmation before a destructive action. */
export function ConfirmDialog<Input, Output>(
  props: Omit<FormDialogProps<Input, Output>, 'read' | 'children' | 'isDangerous'> & { text: string; input: Input },
) {
  const { text, input, ...others } = props;
  return (
    <FormDialog {...others} read={() => input} isDangerous>
      <Text size="sm">{text}</Text>
    </FormDialog>
  );
}

/** Shows a secret, once. It is null for staff who act for a customer, whose screen says that they may not see it. */
export function SecretDialog(props: {
  title: string;
  secret: string | null | undefined;
  close: () => void;
  children?: ReactNode;
}) {
  const { title, secret, close, children } = props;
  const t = useUiText();
  return (
    <Dialog
      opened={secret !== undefined}
      onClose={close}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('done') }}
    >
      <Stack gap="md">
        {secret === null ? (
          <Text size="sm">{t('never_for_staff')}</Text>
        ) : (
          <>
            <Text size="sm">{t('shown_once')}</Text>
            <Group wrap="nowrap" gap="xs" className="code">
              <code className="mono" data-testid="secret">
                {secret}
              </code>
              <CopyButton text={secret ?? ''} label={title} />
            </Group>
            {children}
          </>
        )}
        <Group justify="flex-end">
          <Button onClick={close}>{t('done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
