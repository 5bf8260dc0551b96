import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { actingFor, actsWithToken, api, useList } from '../api/index.ts';
import { Command } from '../app/command.tsx';
import { DataTable, EmptyState, Page, SecretDialog, Time } from '../ui/index.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { useWebhooksText } from './messages.ts';
import { ShareWebhooks } from './share-webhooks.tsx';
import { EndpointStatus } from './states.tsx';

/** The endpoints of the organization. */
export function WebhooksScreen() {
  const t = useWebhooksText();
  const [isCreating, setCreating] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const [secret, setSecret] = useState<string | null>();
  // The portal shows secrets, which staff may not see. Its own session cannot create further links.
  const maySharePortal = actingFor === undefined && !actsWithToken();
  const list = useList(['webhooks'], (page) => api().webhooks.list(page));
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        <>
          {maySharePortal && (
            <Button variant="default" onClick={() => setSharing(true)}>
              {t('share')}
            </Button>
          )}
          <Button onClick={() => setCreating(true)}>{t('create')}</Button>
        </>
      }
    >
      <DataTable
        label={t('title')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('url'),
            show: ({ id, url }) => (
              <Anchor
                component={Link}
                to={`/webhooks/${id}`}
                size="sm"
                fw={500}
                display="inline-block"
                miw="12rem"
                style={{ overflowWrap: 'anywhere' }}
              >
                {url}
              </Anchor>
            ),
          },
          { title: t('events'), show: ({ events }) => <code>{events.join(', ')}</code> },
          { title: t('status'), show: ({ status }) => <EndpointStatus status={status} /> },
          { title: t('created_at'), show: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={
          <EmptyState icon="webhook" title={t('empty_title')} text={t('empty_text')}>
            <Command text="npx seathold webhooks listen --forward-to http://localhost:3000/hooks" />
          </EmptyState>
        }
      />
      <EndpointDialog isOpen={isCreating} close={() => setCreating(false)} show={setSecret} />
      <ShareWebhooks isOpen={isSharing} close={() => setSharing(false)} />
      <SecretDialog title={t('created')} secret={secret} close={() => setSecret(undefined)}>
        {t('secret_hint')}
      </SecretDialog>
    </Page>
  );
}
