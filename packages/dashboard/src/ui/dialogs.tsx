import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { CopyButton } from './copy.tsx';
import { useUiText } from './messages.ts';
import { Problem } from './problem.tsx';

/** A dialog. Its heading is no banner, which is what a header element would be to screen readers. */
export function Dialog(props: Omit<ModalProps, 'attributes'>) {
  return <Modal centered {...props} attributes={{ header: { role: 'presentation' } }} />;
}

interface FormDialogProps<Input, Output> {
  title: string;
  isOpen: boolean;
  close: () => void;
  /** What the button says. */
  submit: string;
  action: UseMutationResult<Output, Error, Input>;
  /** What the action is given. */
  read: (form: FormData) => Input;
  /** Something is lost by it. */
  isDangerous?: boolean;
  /** There is nothing to send yet. */
  isIdle?: boolean;
  /** What the button that changes nothing says; "Cancel" if undefined. */
  dismiss?: string;
  /** Says what went wrong better than the API does; undefined leaves it to the API. */
  explain?: (error: Error) => string | undefined;
  children: ReactNode;
}

/** A form in a dialog, which stays open with what was wrong. */
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

/** Asks once more before something is lost. */
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

/** Shows a secret, once. It is null for staff who act for a customer: what they may not see is said plainly. */
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
