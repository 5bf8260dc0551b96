import { Anchor, PasswordInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/index.ts';
import { useAction } from '../ui/index.ts';
import { CodeField } from './code-field.tsx';
import { Entry, EntryForm, passwordOf, textOf } from './entry.tsx';
import { useAccessText } from './messages.ts';
import { TwoFactorForm } from './two-factor-form.tsx';

interface Answers {
  token: string;
  email: string;
  password: string;
  name: string;
}

/** How people who are not logged in accept an invitation: with a new or an existing account. */
export function AcceptanceForm(props: { code: string; email: string; enter: (token: string) => Promise<void> }) {
  const { code, email, enter } = props;
  const t = useAccessText();
  const [isNew, setNew] = useState(true);
  const [challenge, setChallenge] = useState<{ token: string; challenge: string }>();
  const submit = useAction(async ({ token, name, ...credentials }: Answers) => {
    if (isNew) {
      await api().auth.register({ ...credentials, name });
      return enter(token);
    }
    const answer = await api().auth.login(credentials);
    return answer.status === 'two_factor_required'
      ? setChallenge({ token, challenge: answer.challenge_token })
      : enter(token);
  });
  if (challenge !== undefined) {
    return (
      <TwoFactorForm
        challenge={challenge.challenge}
        enter={() => enter(challenge.token)}
        startOver={() => setChallenge(undefined)}
      />
    );
  }
  return (
    <Entry title={t('invitation')}>
      <EntryForm
        action={submit}
        read={(form) => ({
          token: code === '' ? textOf(form, 'code') : code,
          name: textOf(form, 'name'),
          email: textOf(form, 'email'),
          password: passwordOf(form),
        })}
        submit={t(isNew ? 'register_and_join' : 'log_in_and_join')}
      >
        <SegmentedControl
          aria-label={t('which_account')}
          fullWidth
          size="xs"
          styles={{ label: { paddingInline: 4 } }}
          value={isNew ? 'new' : 'own'}
          onChange={(value) => {
            submit.reset();
            setNew(value === 'new');
          }}
          data={[
            { value: 'new', label: t('new_here') },
            { value: 'own', label: t('have_account') },
          ]}
        />
        <Text size="sm">{t('invitation_hint')}</Text>
        {code === '' && <CodeField />}
        {isNew && <TextInput label={t('name')} name="name" autoComplete="name" required withAsterisk={false} />}
        <TextInput
          label={t('email')}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
          withAsterisk={false}
        />
        <PasswordInput
          key={isNew ? 'new' : 'own'}
          label={t('password')}
          description={isNew ? t('password_hint') : undefined}
          name="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          {...(isNew ? { minLength: 10 } : {})}
          required
          withAsterisk={false}
        />
      </EntryForm>
      {!isNew && (
        <Anchor size="sm" mt="md" display="inline-block" component={Link} to="/forgot-password">
          {t('forgot')}
        </Anchor>
      )}
    </Entry>
  );
}
