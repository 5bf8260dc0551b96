import { TextInput } from '@mantine/core';
import { useAccessText } from './messages.ts';

/** Where a code is typed that a mail has. Links bring it along. */
export function CodeField() {
  const t = useAccessText();
  return (
    <TextInput
      label={t('code')}
      description={t('code_hint')}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      withAsterisk={false}
    />
  );
}
