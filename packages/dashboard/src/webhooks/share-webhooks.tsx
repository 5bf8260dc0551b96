import { Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/index.ts';
import { FormDialog, SecretDialog, useAction } from '../ui/index.ts';
import { useWebhooksText } from './messages.ts';

/** The dialogs that create a link to the webhook portal, for a developer who has no login here. */
export function ShareWebhooks({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const t = useWebhooksText();
  const [url, setUrl] = useState<string>();
  const create = useAction(() => api().webhooks.createPortalLink(), { succeeds: (link) => setUrl(link.url) });
  return (
    <>
      <FormDialog
        title={t('share_title')}
        isOpen={isOpen}
        close={close}
        submit={t('share_create')}
        action={create}
        read={() => undefined}
      >
        <Text size="sm">{t('share_text')}</Text>
      </FormDialog>
      <SecretDialog title={t('share_link')} secret={url} close={() => setUrl(undefined)}>
        {t('share_hint')}
      </SecretDialog>
    </>
  );
}
