import { Anchor, TextInput } from '@mantine/core';
import { api } from '../api/index.ts';
import { useAction } from '../ui/index.ts';
import { Entry, EntryForm, textOf } from './entry.tsx';
import { useAccessText } from './messages.ts';

/** The second step of a login. */
export function TwoFactorForm(props: { challenge: string; enter: () => Promise<void>; startOver: () => void }) {
  const { challenge, enter, startOver } = props;
  const t = useAccessText();
  const verify = useAction(async (code: string) => {
    await api().auth.verifyTwoFactor({ challenge_token: challenge, code });
    await enter();
  });
  return (
    <Entry title={t('two_factor')}>
      <EntryForm action={verify} read={(form) => textOf(form, 'code')} submit={t('continue')}>
        <TextInput
          label={t('code')}
          description={t('two_factor_hint')}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
        />
      </EntryForm>
      <Anchor component="button" type="button" size="sm" mt="md" onClick={startOver}>
        {t('start_over')}
      </Anchor>
    </Entry>
  );
}
