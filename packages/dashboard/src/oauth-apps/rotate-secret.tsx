import { NativeSelect, Text } from '@mantine/core';
import { api } from '../api/index.ts';
import { FormDialog, useAction } from '../ui/index.ts';
import { useOauthAppsText } from './messages.ts';

const HOUR = 3_600;
const DAY = 86_400;

/** Gives the app a new secret, while the current one keeps working for as long as its servers need to change over. */
export function RotateSecret(props: {
  id: string;
  isOpen: boolean;
  close: () => void;
  show: (secret: string) => void;
}) {
  const { id, isOpen, close, show } = props;
  const t = useOauthAppsText();
  const rotate = useAction(
    (overlapSeconds: number) => api().oauthApps.rotateSecret(id, { overlap_seconds: overlapSeconds }),
    { refreshes: [['oauth-apps']], succeeds: ({ client_secret: secret }) => secret !== null && show(secret) },
  );
  return (
    <FormDialog
      title={t('rotate')}
      isOpen={isOpen}
      close={close}
      submit={t('rotate')}
      action={rotate}
      read={(form) => Number(form.get('overlap'))}
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
