import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import type { WebhookDelivery } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import { api, useList } from '../api/index.ts';
import { usePolling } from '../live/live-state.ts';
import { type Column, DataTable, EmptyState, StatusFilter, Time, useStatus } from '../ui/index.ts';
import { useWebhooksText } from './messages.ts';
import { DeliveryStatus } from './states.tsx';

const SOON_MS = 30_000;
const STATUSES = ['succeeded', 'failed', 'pending', 'held'] as const;

/** The deliveries to an endpoint, newest first. */
export function DeliveriesPanel({ webhookId }: { webhookId: string }) {
  const t = useWebhooksText();
  const [status, choose] = useStatus(STATUSES);
  const polling = usePolling(5_000);
  const columns = useColumns(webhookId);
  const list = useList(
    ['webhooks', webhookId, 'deliveries', status],
    (page) => api().webhooks.listDeliveries(webhookId, status === undefined ? page : { ...page, status }),
    { refetchInterval: (deliveries) => (deliveries.some(isOnItsWay) ? 2_000 : polling) },
  );
  return (
    <Stack gap="sm">
      <Title order={2}>{t('deliveries')}</Title>
      <StatusFilter label={t('status')} statuses={STATUSES} chosen={status} choose={choose} nameOf={t} />
      <DataTable
        label={t('deliveries')}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          status === undefined ? (
            <EmptyState icon="webhook" title={t('no_deliveries')} text={t('no_deliveries_text')} />
          ) : (
            <EmptyState icon="webhook" title={t('none_title')} text={t('none_text')} />
          )
        }
      />
    </Stack>
  );
}

/** An attempt is about to be made, for which there is no event. */
function isOnItsWay({ status, next_attempt_at: at }: WebhookDelivery): boolean {
  return status === 'pending' && (at === null || Date.parse(at) - Date.now() < SOON_MS);
}

function useColumns(webhookId: string): ReadonlyArray<Column<WebhookDelivery>> {
  const t = useWebhooksText();
  return [
    {
      title: t('event'),
      show: ({ id, event_type: type, is_test: isTest }) => (
        <Group gap={6} wrap="nowrap">
          <Anchor component={Link} to={`/webhooks/${webhookId}/deliveries/${id}`} size="sm">
            <code>{type}</code>
          </Anchor>
          {isTest && (
            <Text size="xs" c="dimmed">
              {t('test_badge')}
            </Text>
          )}
        </Group>
      ),
    },
    { title: t('status'), show: ({ status }) => <DeliveryStatus status={status} /> },
    {
      title: t('answer'),
      show: ({ last_status_code: code, last_error: error }) => <code>{code ?? error ?? '–'}</code>,
    },
    { title: t('attempts'), isNumber: true, show: ({ attempt_count: count }) => count },
    { title: t('next'), show: ({ next_attempt_at: at }) => (at === null ? '–' : <Time at={at} />) },
    { title: t('when'), show: ({ created_at: at }) => <Time at={at} /> },
  ];
}
