import type { ApiToken } from '@seathold/client';
import { api } from '../api/index.ts';
import { RotateDialog, useAction } from '../ui/index.ts';
import type { NewKey } from './create-api-key.tsx';
import { useApiKeysText } from './messages.ts';

/** Replaces a key. */
export function RotateApiKey(props: {
  apiKey: ApiToken | undefined;
  close: () => void;
  show: (created: NewKey) => void;
}) {
  const { apiKey, close, show } = props;
  const t = useApiKeysText();
  const rotate = useAction(
    (overlapSeconds: number) => api().apiTokens.rotate(apiKey?.id ?? '', { overlap_seconds: overlapSeconds }),
    { refreshes: [['api-keys']], succeeds: show },
  );
  return (
    <RotateDialog
      title={t('rotate_title', { name: apiKey?.name ?? '' })}
      text={t('rotate_text')}
      submit={t('rotate')}
      overlap={t('overlap')}
      isOpen={apiKey !== undefined}
      close={close}
      action={rotate}
    />
  );
}
