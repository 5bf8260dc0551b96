import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/index.ts';
import { useAction } from '../ui/index.ts';
import { CodeField } from './code-field.tsx';
import { Entry, EntryForm, passwordOf, textOf } from './entry.tsx';
import { MailFolderHint } from './mail-folder-hint.tsx';
import { useMailedCode } from './mailed-code.ts';
import { useAccessText } from './messages.ts';

/** Asks for the mailed code and a new password. */
export function ResetPasswordScreen() {
  const t = useAccessText();
  const { code } = useMailedCode();
  const reset = useAction((body: { token: string; password: string }) => api().auth.resetPassword(body));
  if (reset.isSuccess) {
    return (
      <Entry title={t('password_set')}>
        <Stack gap="md">
          <Text role="status">{t('password_set_hint')}</Text>
          <Button component={Link} to="/login" fullWidth>
            {t('log_in')}
          </Button>
        </Stack>
      </Entry>
    );
  }
  return (
    <Entry title={t('set_new_password')}>
      <EntryForm
        action={reset}
        read={(form) => ({ token: code === '' ? textOf(form, 'code') : code, password: passwordOf(form) })}
        submit={t('set_password')}
      >
        {code === '' && <CodeField />}
        {code === '' && <MailFolderHint />}
        <PasswordInput
          label={t('new_password')}
          description={t('new_password_hint')}
          name="password"
          autoComplete="new-password"
          minLength={10}
          required
          withAsterisk={false}
        />
      </EntryForm>
      <Anchor size="sm" mt="md" display="inline-block" component={Link} to="/forgot-password">
        {t('send_new_code')}
      </Anchor>
    </Entry>
  );
}
