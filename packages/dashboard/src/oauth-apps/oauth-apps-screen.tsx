import { Anchor, Button, Text } from '@mantine/core';
import type { OauthAppWithSecret } from '@seathold/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, useList } from '../api/index.ts';
import { CopyId, DataTable, EmptyState, Page, SecretDialog, Time } from '../ui/index.ts';
import { CreateApp } from './app-dialog.tsx';
import { useOauthAppsText } from './messages.ts';

/** The apps of the organization: all of them for admins, their own for others. */
export function OauthAppsScreen() {
  const t = useOauthAppsText();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<OauthAppWithSecret>();
  const list = useList(['oauth-apps', 'list'], (page) => api().oauthApps.list(page));
  const create = <Button onClick={() => setCreating(true)}>{t('create')}</Button>;
  const show = ({ id }: { id: string }) => void navigate({ to: `/oauth-apps/${id}` });
  return (
    <Page title={t('title')} about={t('about')} actions={create}>
      <DataTable
        label={t('title')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('name'),
            show: ({ id, name }) => (
              <Anchor component={Link} to={`/oauth-apps/${id}`} size="sm" fw={500} display="inline-block" miw="9rem">
                {name}
              </Anchor>
            ),
          },
          { title: t('client_id'), show: ({ client_id: id }) => <CopyId id={id} /> },
          { title: t('kind'), show: ({ confidential }) => t(confidential ? 'confidential' : 'public') },
          { title: t('scopes'), show: ({ scopes }) => <Text size="xs">{scopes.join(', ')}</Text> },
          { title: t('created_at'), show: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={
          <EmptyState icon="app" title={t('empty_title')} text={t('empty_text')}>
            {create}
          </EmptyState>
        }
      />
      <CreateApp
        isOpen={isCreating}
        close={() => setCreating(false)}
        show={(app) => (app.client_secret === null ? show(app) : setCreated(app))}
      />
      <SecretDialog
        title={t('created')}
        secret={created?.client_secret ?? undefined}
        close={() => created !== undefined && show(created)}
      >
        {t('secret_hint')}
      </SecretDialog>
    </Page>
  );
}
