import { NativeSelect, Text } from '@mantine/core';
import type { ApiToken } from '@seathold/client';
import { api } from '../api/index.ts';
import { FormDialog, useAction } from '../ui/index.ts';
import { useApiKeysText } from './messages.ts';

const HOUR = 3_600;
const DAY = 86_400;

/** Replaces a key, while the old one keeps working for as long as programs need to change over. */
export function RotateApiKey(props: {
  apiKey: ApiToken | undefined;
  close: () => void;
  show: (secret: string) => void;
}) {
  const { apiKey, close, show } = props;
  const t = useApiKeysText();
  const rotate = useAction(
    ({ id, overlapSeconds }: { id: string; overlapSeconds: number }) =>
      api().apiTokens.rotate(id, { overlap_seconds: overlapSeconds }),
    { refreshes: [['api-keys']], succeeds: ({ token }) => show(token) },
  );
  return (
    <FormDialog
      title={t('rotate_title', { name: apiKey?.name ?? '' })}
      isOpen={apiKey !== undefined}
      close={close}
      submit={t('rotate')}
      action={rotate}
      read={(form) => ({ id: apiKey?.id ?? '', overlapSeconds: Number(form.get('overlap')) })}
    >
      <Text size="sm">{t('rotate_text')}</Text>
      <NativeSelect
        label={t('overlap')}
        name="overlap"
        defaultValue={String(DAY)}
        data={[
          { value: '0', label: t('overlap_none') },
          { value: String(HOUR), label: t('overlap_hours', { count: 1 }) },
          { value: String(DAY), label: t('overlap_hours', { count: 24 }) },
          { value: String(7 * DAY), label: t('overlap_days', { count: 7 }) },
        ]}
      />
    </FormDialog>
  );
}
