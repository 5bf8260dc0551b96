import { api } from '../api/index.ts';
import { RotateDialog, useAction } from '../ui/index.ts';
import { useOauthAppsText } from './messages.ts';

/** Gives the app a new secret. */
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
    <RotateDialog
      title={t('rotate')}
      text={t('rotate_text')}
      submit={t('rotate')}
      overlap={t('overlap')}
      isOpen={isOpen}
      close={close}
      action={rotate}
    />
  );
}
