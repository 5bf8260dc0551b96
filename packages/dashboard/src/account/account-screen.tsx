import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { api, useCurrentUser } from '../api/index.ts';
import { Page, Problem, Section, Status, useAction } from '../ui/index.ts';
import { DataPanel } from './data-panel.tsx';
import { LoginsPanel } from './logins-panel.tsx';
import { useAccountText } from './messages.ts';
import { TwoFactorPanel } from './two-factor-panel.tsx';

/** The person: their profile, account security, and data. */
export function AccountScreen() {
  const t = useAccountText();
  return (
    <Page title={t('title')}>
      <Profile />
      <Password />
      <TwoFactorPanel />
      <LoginsPanel />
      <DataPanel />
    </Page>
  );
}

function Profile() {
  const t = useAccountText();
  const { name, email, email_verified: isVerified } = useCurrentUser();
  const save = useAction((to: string) => api().me.update({ name: to }), { refreshes: [['me']], says: t('saved') });
  const verify = useAction(() => api().auth.sendEmailVerification(), { says: t('verification_sent') });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(String(new FormData(event.currentTarget).get('name')).trim());
  };
  return (
    <Section title={t('profile')}>
      <form onSubmit={send}>
        <Stack gap="md" maw={420}>
          <div>
            <Text size="sm" fw={600}>
              {t('email')}
            </Text>
            <Text size="sm">{email}</Text>
            <Group gap="xs">
              <Status tone={isVerified ? 'success' : 'warning'}>{t(isVerified ? 'verified' : 'unverified')}</Status>
              {!isVerified && (
                <Button
                  size="compact-xs"
                  variant="default"
                  loading={verify.isPending}
                  onClick={() => verify.mutate(undefined)}
                >
                  {t('send_verification')}
                </Button>
              )}
            </Group>
          </div>
          <TextInput label={t('name')} name="name" autoComplete="name" defaultValue={name} required />
          {save.isError && <Problem error={save.error} />}
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function Password() {
  const t = useAccountText();
  const change = useAction((body: { current_password: string; password: string }) => api().me.update(body), {
    refreshes: [['logins']],
    says: t('password_changed'),
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const body = { current_password: String(data.get('current')), password: String(data.get('new')) };
    change.mutate(body, { onSuccess: () => form.reset() });
  };
  return (
    <Section title={t('password')}>
      <form onSubmit={send}>
        <Stack gap="md" maw={420}>
          <PasswordInput label={t('current_password')} name="current" autoComplete="current-password" required />
          <PasswordInput
            label={t('new_password')}
            description={t('password_hint')}
            name="new"
            autoComplete="new-password"
            minLength={10}
            required
          />
          {change.isError && <Problem error={change.error} />}
          <Group>
            <Button type="submit" loading={change.isPending}>
              {t('change_password')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
