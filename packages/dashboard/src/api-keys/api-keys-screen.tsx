import { Button, Group, Text } from '@mantine/core';
import type { ApiToken } from '@seathold/client';
import { useState } from 'react';
import { api, useList } from '../api/index.ts';
import { curlFor } from '../request-code/format-curl.ts';
import {
  ACTIONS,
  Code,
  type Column,
  ConfirmDialog,
  DataTable,
  EmptyState,
  Page,
  SecretDialog,
  Status,
  Time,
  useAction,
} from '../ui/index.ts';
import { CreateApiKey, type NewKey } from './create-api-key.tsx';
import { useApiKeysText } from './messages.ts';
import { RotateApiKey } from './rotate-api-key.tsx';

type Asked = { what: 'create' } | { what: 'rotate' | 'revoke'; key: ApiToken };

const KEYS = [['api-keys']] as const;
/** A readable endpoint per scope, the most useful first. */
const READABLE = [
  ['read:profile', '/v1/me'],
  ['read:licenses', '/v1/licenses'],
  ['read:projects', '/v1/projects'],
  ['read:org', '/v1/orgs'],
] as const;
const NINETY_DAYS_MS = 90 * 86_400_000;

/** The person's API keys in this organization. */
export function ApiKeysScreen() {
  const t = useApiKeysText();
  const [asked, setAsked] = useState<Asked>();
  const [created, setCreated] = useState<NewKey>();
  const list = useList(['api-keys'], (page) => api().apiTokens.list(page));
  const ask = () => setAsked({ what: 'create' });
  const columns = useColumns(setAsked);
  return (
    <Page title={t('title')} about={t('about')} actions={<Button onClick={ask}>{t('create')}</Button>}>
      <DataTable
        label={t('title')}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="key" title={t('empty_title')} text={t('empty_text')}>
            <Button onClick={ask}>{t('create')}</Button>
          </EmptyState>
        }
      />
      <CreateApiKey isOpen={asked?.what === 'create'} close={() => setAsked(undefined)} show={setCreated} />
      <Replacements asked={asked} close={() => setAsked(undefined)} show={setCreated} />
      <SecretDialog title={t('created')} secret={created?.token} close={() => setCreated(undefined)}>
        {created !== undefined && <TryIt created={created} />}
      </SecretDialog>
    </Page>
  );
}

/** A command that works with the new key. Some scopes cannot read anything. */
function TryIt({ created: { token, scopes } }: { created: NewKey }) {
  const t = useApiKeysText();
  const [, path] = READABLE.find(([scope]) => scopes.includes(scope)) ?? [];
  const { origin } = window.location;
  return path === undefined ? null : (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t('try_it')}
      </Text>
      <Code
        text={`${curlFor(origin)} ${origin}${path} \\\n  -H "Authorization: Bearer ${token}"`}
        label={t('try_it')}
      />
    </div>
  );
}

function Replacements(props: { asked: Asked | undefined; close: () => void; show: (created: NewKey) => void }) {
  const { asked, close, show } = props;
  const t = useApiKeysText();
  const key = asked === undefined || asked.what === 'create' ? undefined : asked.key;
  const revoke = useAction((id: string) => api().apiTokens.delete(id), { refreshes: KEYS, says: t('revoked') });
  return (
    <>
      <RotateApiKey apiKey={asked?.what === 'rotate' ? key : undefined} close={close} show={show} />
      <ConfirmDialog
        close={close}
        input={key?.id ?? ''}
        title={t('revoke_title', { name: key?.name ?? '' })}
        text={t('revoke_text')}
        submit={t('revoke')}
        isOpen={asked?.what === 'revoke'}
        action={revoke}
      />
    </>
  );
}

function useColumns(ask: (asked: Asked) => void): ReadonlyArray<Column<ApiToken>> {
  const t = useApiKeysText();
  return [
    {
      title: t('name'),
      show: ({ name, created_at: createdAt, status }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {status === 'active' && Date.now() - Date.parse(createdAt) > NINETY_DAYS_MS && (
            <Text size="xs" c="var(--warning)">
              {t('old')}
            </Text>
          )}
        </>
      ),
    },
    { title: t('key'), show: ({ prefix }) => <code>{prefix}…</code> },
    { title: t('scopes'), show: ({ scopes }) => <Text size="xs">{scopes.join(', ')}</Text> },
    { title: t('status'), show: (key) => <KeyStatus apiKey={key} /> },
    { title: t('last_used'), show: ({ last_used_at: at }) => <Time at={at} /> },
    { title: t('expires'), show: ({ expires_at: at }) => <Time at={at} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (key) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          {key.status === 'active' && key.replaced_by === null && (
            <Button size="compact-xs" variant="default" onClick={() => ask({ what: 'rotate', key })}>
              {t('rotate')}
            </Button>
          )}
          <Button size="compact-xs" variant="default" onClick={() => ask({ what: 'revoke', key })}>
            {t('revoke')}
          </Button>
        </Group>
      ),
    },
  ];
}

function KeyStatus({ apiKey: { status, replaced_by: replacedBy } }: { apiKey: ApiToken }) {
  const t = useApiKeysText();
  if (status === 'expired') {
    return <Status tone="idle">{t('expired')}</Status>;
  }
  return replacedBy === null ? (
    <Status tone="success">{t('active')}</Status>
  ) : (
    <Status tone="warning">{t('replaced')}</Status>
  );
}
