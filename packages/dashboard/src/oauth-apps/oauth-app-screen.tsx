import { Button, Group, Stack, Text } from '@mantine/core';
import type { OauthApp } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/index.ts';
import {
  ConfirmDialog,
  CopyId,
  FactList,
  Loaded,
  Page,
  SecretDialog,
  Section,
  Status,
  Time,
  useAction,
} from '../ui/index.ts';
import { EditApp } from './app-dialog.tsx';
import { ScopeList } from './app-scopes.tsx';
import { useOauthAppsText } from './messages.ts';
import { RotateSecret } from './rotate-secret.tsx';

type Act = 'edit' | 'rotate' | 'delete';

/** One app: its name, redirect URIs, scopes and secrets. */
export function OauthAppScreen() {
  const t = useOauthAppsText();
  const { appId = '' } = useParams({ strict: false });
  const [act, setAct] = useState<Act>();
  const [secret, setSecret] = useState<string | null>();
  const query = useQuery({ queryKey: ['oauth-apps', 'one', appId], queryFn: () => api().oauthApps.get(appId) });
  const app = query.data;
  const acts: readonly Act[] = app?.confidential === false ? ['edit', 'delete'] : ['edit', 'rotate', 'delete'];
  return (
    <Page
      title={app?.name ?? t('title')}
      about={
        <Group gap={6}>
          {t('client_id')} <CopyId id={appId} />
        </Group>
      }
      actions={acts.map((name) => (
        <Button key={name} size="xs" variant="default" onClick={() => setAct(name)} disabled={app === undefined}>
          {t(name)}
        </Button>
      ))}
    >
      <Loaded query={query} height={420}>
        {(loaded) => (
          <>
            <App app={loaded} />
            <EditApp app={loaded} isOpen={act === 'edit'} close={() => setAct(undefined)} />
            <RotateSecret id={appId} isOpen={act === 'rotate'} close={() => setAct(undefined)} show={setSecret} />
            <DeleteApp app={loaded} isOpen={act === 'delete'} close={() => setAct(undefined)} />
          </>
        )}
      </Loaded>
      <SecretDialog title={t('created')} secret={secret} close={() => setSecret(undefined)}>
        {t('secret_hint')}
      </SecretDialog>
    </Page>
  );
}

function App({ app }: { app: OauthApp }) {
  const t = useOauthAppsText();
  return (
    <Stack gap="lg">
      <Section>
        <FactList
          facts={[
            [t('kind'), t(app.confidential ? 'confidential' : 'public')],
            [t('created_at'), <Time key="created" at={app.created_at} isExact />],
            [t('updated_at'), <Time key="updated" at={app.updated_at} isExact />],
            [
              t('metadata'),
              <CopyId key="metadata" id={`${window.location.origin}/.well-known/oauth-authorization-server`} />,
            ],
          ]}
        />
      </Section>
      <Section title={t('redirect_uris')}>
        <Stack gap={4}>
          {app.redirect_uris.map((uri) => (
            <CopyId key={uri} id={uri} />
          ))}
        </Stack>
      </Section>
      <Section title={t('scopes')}>
        <ScopeList scopes={app.scopes} />
      </Section>
      {app.confidential && (
        <Section title={t('secrets')}>
          <Secrets secrets={app.secrets} />
        </Section>
      )}
    </Stack>
  );
}

function Secrets({ secrets }: Pick<OauthApp, 'secrets'>) {
  const t = useOauthAppsText();
  return (
    <Stack gap={6}>
      {secrets.map(({ created_at: at, expires_at: end }) => (
        <Group key={at} gap="md">
          <Text size="sm">
            <Time at={at} isExact />
          </Text>
          {end === null ? (
            <Status tone="success">{t('secret_current')}</Status>
          ) : (
            <Group gap={6}>
              <Status tone="warning">{t('secret_ends')}</Status>
              <Text size="sm">
                <Time at={end} isExact />
              </Text>
            </Group>
          )}
        </Group>
      ))}
    </Stack>
  );
}

function DeleteApp({ app, isOpen, close }: { app: OauthApp; isOpen: boolean; close: () => void }) {
  const t = useOauthAppsText();
  const navigate = useNavigate();
  const remove = useAction((id: string) => api().oauthApps.delete(id), {
    refreshes: [['oauth-apps', 'list'], ['connected-apps']],
    says: t('deleted'),
    succeeds: () => void navigate({ to: '/oauth-apps' }),
  });
  return (
    <ConfirmDialog
      title={t('delete_title', { name: app.name })}
      text={t('delete_text')}
      submit={t('delete')}
      isOpen={isOpen}
      close={close}
      action={remove}
      input={app.id}
    />
  );
}
