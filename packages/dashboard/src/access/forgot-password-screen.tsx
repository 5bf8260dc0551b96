import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/index.ts';
import { useAction } from '../ui/index.ts';
import { Entry, EntryForm, textOf } from './entry.tsx';
import { MailFolderHint } from './mail-folder-hint.tsx';
import { useAccessText } from './messages.ts';

/** Requests a mail with the link to the screen for a new password. */
export function ForgotPasswordScreen() {
  const t = useAccessText();
  const send = useAction((email: string) => api().auth.forgotPassword({ email }));
  if (send.isSuccess) {
    return (
      <Entry title={t('sent')}>
        <Stack gap="md">
          <Text role="status">{t('sent_hint')}</Text>
          <MailFolderHint />
          <Anchor size="sm" component={Link} to="/reset-password">
            {t('enter_code')}
          </Anchor>
        </Stack>
      </Entry>
    );
  }
  return (
    <Entry title={t('reset')}>
      <EntryForm action={send} read={(form) => textOf(form, 'email')} submit={t('send_code')}>
        <Text size="sm">{t('reset_hint')}</Text>
        <TextInput label={t('email')} name="email" type="email" autoComplete="username" required withAsterisk={false} />
      </EntryForm>
      <Anchor size="sm" mt="md" display="inline-block" component={Link} to="/login">
        {t('back')}
      </Anchor>
    </Entry>
  );
}
