import { Button, Text } from '@mantine/core';
import type { OauthGrant } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { personalApi, useList } from '../api/index.ts';
import { ACTIONS, ConfirmDialog, CopyId, DataTable, EmptyState, Page, Time, useAction } from '../ui/index.ts';
import { useConnectedAppsText } from './messages.ts';

/** The person's grants to apps, and how to revoke them. */
export function ConnectedAppsScreen() {
  const t = useConnectedAppsText();
  const [ending, setEnding] = useState<OauthGrant>();
  const list = useList(['connected-apps'], (page) => personalApi().auth.listOauthGrants(page));
  const nameOf = useOrganizationNames();
  const disconnect = useAction((grant: OauthGrant) => personalApi().auth.deleteOauthGrant(grant.id), {
    refreshes: [['connected-apps']],
    says: (_, { app }) => t('disconnected', { name: app.name }),
  });
  return (
    <Page title={t('title')} about={t('about')}>
      <DataTable
        label={t('title')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('app'),
            show: ({ app }) => (
              <>
                <Text size="sm" fw={500}>
                  {app.name}
                </Text>
                <CopyId id={app.id} />
              </>
            ),
          },
          { title: t('organization'), show: ({ organization_id: id }) => nameOf(id) ?? <CopyId id={id} /> },
          { title: t('scopes'), show: ({ scopes }) => <Text size="xs">{scopes.join(', ')}</Text> },
          { title: t('connected'), show: ({ updated_at: at }) => <Time at={at} /> },
          {
            title: ACTIONS,
            isNumber: true,
            show: (grant) => (
              <Button size="compact-xs" variant="default" onClick={() => setEnding(grant)}>
                {t('disconnect')}
              </Button>
            ),
          },
        ]}
        empty={
          <EmptyState icon="app" title={t('empty_title')} text={t('empty_text')}>
            <Button component={Link} to="/oauth-apps" variant="default">
              {t('show_own')}
            </Button>
          </EmptyState>
        }
      />
      {ending !== undefined && (
        <ConfirmDialog
          title={t('disconnect_title', { name: ending.app.name })}
          text={t('disconnect_text')}
          submit={t('disconnect')}
          isOpen
          close={() => setEnding(undefined)}
          action={disconnect}
          input={ending}
        />
      )}
    </Page>
  );
}

/** The names of the person's organizations, as the menu that switches between them loads them. */
function useOrganizationNames(): (id: string) => string | undefined {
  const { data } = useQuery({
    queryKey: ['organizations'],
    queryFn: () => personalApi().organizations.list({ limit: 100, sort: 'name' }),
    staleTime: 300_000,
  });
  return (id) => data?.data.find((organization) => organization.id === id)?.name;
}
