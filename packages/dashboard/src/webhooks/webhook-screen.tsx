import { Button, Group, Text } from '@mantine/core';
import type { WebhookEndpointDetail } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/index.ts';
import { usePolling } from '../live/live-state.ts';
import { CopyId, FactList, Loaded, Page, SecretDialog, Section, Time, useAction } from '../ui/index.ts';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { type EndpointAct, EndpointActs } from './endpoint-acts.tsx';
import { EndpointStatistics } from './endpoint-statistics.tsx';
import { useWebhooksText } from './messages.ts';
import { ReplaysPanel } from './replays-panel.tsx';
import { EndpointStatus } from './states.tsx';

const ACTS = ['test', 'edit', 'rotate', 'replay', 'delete'] as const;

/** One endpoint: its statistics and deliveries. */
export function WebhookScreen() {
  const t = useWebhooksText();
  const navigate = useNavigate();
  const { webhookId = '' } = useParams({ strict: false });
  const [act, setAct] = useState<EndpointAct>();
  const [secret, setSecret] = useState<string | null>();
  const query = useQuery({
    queryKey: ['webhooks', webhookId],
    queryFn: () => api().webhooks.get(webhookId),
    refetchInterval: usePolling(10_000),
  });
  return (
    <Page
      title={query.data?.url ?? t('title')}
      about={<CopyId id={webhookId} />}
      actions={ACTS.map((name) => (
        <Button key={name} size="xs" variant="default" onClick={() => setAct(name)} disabled={query.data === undefined}>
          {t(name)}
        </Button>
      ))}
    >
      <Loaded query={query} height={300}>
        {(endpoint) => (
          <>
            <Endpoint endpoint={endpoint} />
            <EndpointStatistics statistics={endpoint.statistics} />
            <EndpointActs
              endpoint={endpoint}
              act={act}
              close={() => setAct(undefined)}
              show={setSecret}
              leave={() => void navigate({ to: '/webhooks' })}
            />
          </>
        )}
      </Loaded>
      <ReplaysPanel webhookId={webhookId} />
      <DeliveriesPanel webhookId={webhookId} />
      <SecretDialog title={t('created')} secret={secret} close={() => setSecret(undefined)}>
        {t('secret_hint')}
      </SecretDialog>
    </Page>
  );
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpointDetail }) {
  const t = useWebhooksText();
  const { id, status, events } = endpoint;
  const change = useAction((to: 'active' | 'paused') => api().webhooks.update(id, { status: to }), {
    refreshes: [['webhooks']],
    says: t('saved'),
  });
  return (
    <Section>
      <FactList
        facts={[
          [
            t('status'),
            <Group key="status" gap="xs">
              <EndpointStatus status={status} />
              <Button
                size="compact-xs"
                variant="default"
                loading={change.isPending}
                onClick={() => change.mutate(status === 'active' ? 'paused' : 'active')}
              >
                {t(status === 'active' ? 'pause' : 'resume')}
              </Button>
            </Group>,
          ],
          [t('events'), <code key="events">{events.join(', ')}</code>],
          [t('description'), endpoint.description ?? '–'],
          [t('created_at'), <Time key="created" at={endpoint.created_at} isExact />],
        ]}
      />
      {status === 'disabled' && (
        <Text size="sm" mt="md" c="var(--danger)">
          {t('disabled_text')}
        </Text>
      )}
    </Section>
  );
}
