import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../api/index.ts';
import { useAction } from '../ui/index.ts';
import { enterDashboard } from './enter.ts';
import { Entry, EntryForm, passwordOf, textOf } from './entry.tsx';
import { useAccessText } from './messages.ts';
import { readOnward } from './onward.ts';

/** Creates an account and its organization. */
export function RegisterScreen() {
  const t = useAccessText();
  const { next = '/' } = readOnward(useSearch({ strict: false }));
  const navigate = useNavigate();
  const register = useAction(async (body: { email: string; password: string; name: string }) => {
    await api().auth.register(body);
    await enterDashboard(() => navigate({ href: next }));
  });
  return (
    <Entry title={t('register')}>
      <EntryForm
        action={register}
        read={(form) => ({ name: textOf(form, 'name'), email: textOf(form, 'email'), password: passwordOf(form) })}
        submit={t('register')}
      >
        <TextInput label={t('name')} name="name" autoComplete="name" required withAsterisk={false} />
        <TextInput label={t('email')} name="email" type="email" autoComplete="username" required withAsterisk={false} />
        <PasswordInput
          label={t('password')}
          description={t('password_hint')}
          name="password"
          autoComplete="new-password"
          minLength={10}
          required
          withAsterisk={false}
        />
      </EntryForm>
      <Text size="sm" mt="md">
        {t('has_account')}{' '}
        <Anchor size="sm" underline="always" href={`/login?${new URLSearchParams({ next })}`}>
          {t('log_in')}
        </Anchor>
      </Text>
    </Entry>
  );
}
