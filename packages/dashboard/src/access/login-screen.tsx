import { Anchor, Group, PasswordInput, TextInput } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { useAction } from '../ui/index.ts';
import { enterDashboard } from './enter.ts';
import { Entry, EntryForm, passwordOf, textOf } from './entry.tsx';
import { useAccessText } from './messages.ts';
import { readOnward } from './onward.ts';
import { TwoFactorForm } from './two-factor-form.tsx';

/** Logs in: with a password, and with a second factor if one is set up. */
export function LoginScreen() {
  const t = useAccessText();
  const { brand } = useFacts();
  const { next = '/' } = readOnward(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [challenge, setChallenge] = useState<string>();
  const enter = () => enterDashboard(() => navigate({ href: next }));
  const logIn = useAction(async (body: { email: string; password: string }) => {
    const answer = await api().auth.login(body);
    if (answer.status === 'two_factor_required') {
      setChallenge(answer.challenge_token);
    } else {
      await enter();
    }
  });
  if (challenge !== undefined) {
    return <TwoFactorForm challenge={challenge} enter={enter} startOver={() => setChallenge(undefined)} />;
  }
  return (
    <Entry title={t('log_in_to', { name: brand.name })}>
      <EntryForm
        action={logIn}
        read={(form) => ({ email: textOf(form, 'email'), password: passwordOf(form) })}
        submit={t('log_in')}
      >
        <TextInput label={t('email')} name="email" type="email" autoComplete="username" required withAsterisk={false} />
        <PasswordInput
          label={t('password')}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
      </EntryForm>
      <Group justify="space-between" mt="md" gap="xs">
        <Anchor size="sm" component={Link} to="/forgot-password">
          {t('forgot')}
        </Anchor>
        <Anchor size="sm" href={`/register?${new URLSearchParams({ next })}`}>
          {t('register')}
        </Anchor>
      </Group>
    </Entry>
  );
}
