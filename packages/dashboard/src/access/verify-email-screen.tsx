import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { api } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { useAction } from '../ui/index.ts';
import { CodeField } from './code-field.tsx';
import { Entry, EntryForm, textOf } from './entry.tsx';
import { MailFolderHint } from './mail-folder-hint.tsx';
import { useMailedCode } from './mailed-code.ts';
import { useAccessText } from './messages.ts';

/**
 * Verifies the address that a code was mailed to. In a logged-in browser, opening the link is enough. Elsewhere a
 * button has to be pressed, because mail scanners also follow links, and would verify addresses without their owners'
 * knowledge.
 */
export function VerifyEmailScreen() {
  const t = useAccessText();
  const { has_session: hasSession } = useFacts();
  const { code } = useMailedCode();
  const verify = useAction((token: string) => api().auth.verifyEmail({ token }), { refreshes: [['me']] });
  const isSent = useRef(false);
  const { mutate } = verify;
  useEffect(() => {
    if (code !== '' && hasSession && !isSent.current) {
      isSent.current = true;
      mutate(code);
    }
  }, [code, hasSession, mutate]);
  if (verify.isSuccess) {
    return (
      <Entry title={t('verified')}>
        <Stack gap="md">
          <Text role="status">{t('verified_hint')}</Text>
          <Button component={Link} to="/" fullWidth>
            {t(hasSession ? 'to_dashboard' : 'log_in')}
          </Button>
        </Stack>
      </Entry>
    );
  }
  return (
    <Entry title={t('verify')}>
      <EntryForm
        action={verify}
        read={(form) => (code === '' || verify.isError ? textOf(form, 'code') : code)}
        submit={t('verify_submit')}
      >
        {code === '' || verify.isError ? <CodeField /> : <Text size="sm">{t('verify_hint')}</Text>}
        {code === '' && <MailFolderHint />}
      </EntryForm>
    </Entry>
  );
}
