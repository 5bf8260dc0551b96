import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { chooseOrganization, currentUser, endSession, personalApi, queryClient, tellOtherTabs } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { useAction } from '../ui/index.ts';
import { showToast } from '../ui/toasts.tsx';
import { AcceptanceForm } from './acceptance-form.tsx';
import { CodeField } from './code-field.tsx';
import { enterDashboard } from './enter.ts';
import { Entry, EntryForm, textOf } from './entry.tsx';
import { useMailedCode } from './mailed-code.ts';
import { useAccessText } from './messages.ts';

/**
 * Accepts an invitation: immediately for a logged-in person, and with a login or a registration on the same form for
 * everyone else.
 */
export function AcceptInvitationScreen() {
  const t = useAccessText();
  const { has_session: hadSession } = useFacts();
  const navigate = useNavigate();
  const { code, email } = useMailedCode();
  const [isLoggedIn, setLoggedIn] = useState(hadSession);
  const join = useAction(
    async (token: string) => {
      const organization = await personalApi().invitations.accept({ token });
      chooseOrganization(organization.id);
      await enterDashboard(() => navigate({ to: '/' }));
      return organization;
    },
    { succeeds: ({ name }) => showToast(t('joined', { name })) },
  );
  const leave = useAction(async () => {
    await endSession();
    chooseOrganization(undefined);
    tellOtherTabs();
    queryClient.clear();
    join.reset();
    setLoggedIn(false);
  });
  const me = useQuery({ ...currentUser, enabled: isLoggedIn });
  if (!isLoggedIn || me.isError) {
    const enter = async (token: string) => {
      queryClient.clear();
      setLoggedIn(true);
      join.mutate(token);
    };
    return <AcceptanceForm code={code} email={email} enter={enter} />;
  }
  return (
    <Entry title={t('invitation')}>
      {me.data === undefined ? (
        <Skeleton height={96} />
      ) : (
        <Stack gap="md">
          <Text size="sm">{t('accept_as', { email: me.data.email })}</Text>
          <EntryForm action={join} read={(form) => (code === '' ? textOf(form, 'code') : code)} submit={t('accept')}>
            {code === '' && <CodeField />}
          </EntryForm>
          <Button variant="default" fullWidth loading={leave.isPending} onClick={() => leave.mutate(undefined)}>
            {t('other_account')}
          </Button>
        </Stack>
      )}
    </Entry>
  );
}
