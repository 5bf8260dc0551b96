import { TextInput } from '@mantine/core';
import { useAccessText } from './messages.ts';

/** The field for a mailed code. Links fill it in. */
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
