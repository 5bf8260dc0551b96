import { Textarea, type TextareaProps } from '@mantine/core';
import { useStaffText } from './messages.ts';

/** A field for a JSON object. The form cannot be sent while it is invalid. */
export function JsonField(props: TextareaProps & { name: string; label: string }) {
  const t = useStaffText();
  return (
    <Textarea
      {...props}
      rows={props.rows ?? 3}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      onChange={({ currentTarget }) =>
        currentTarget.setCustomValidity(parseObject(currentTarget.value) === undefined ? t('no_json') : '')
      }
    />
  );
}

/** The JSON object of a text, an empty one for no text; undefined if it is something else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') {
    return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
