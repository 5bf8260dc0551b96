import { Button, Stack, Text, Title } from '@mantine/core';
import type { WebhookReplay } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/index.ts';
import { Problem, Section, Status, Time, useAction, useNumber } from '../ui/index.ts';
import { useWebhooksText } from './messages.ts';
import './replays.css';

const TONES = { running: 'warning', completed: 'success', canceled: 'idle', dry_run: 'idle' } as const;
const SHOWN = 5;

/** The latest replays of an endpoint and their progress. Nothing if there are none. */
export function ReplaysPanel({ webhookId }: { webhookId: string }) {
  const t = useWebhooksText();
  const { data, isLoadingError, error, refetch } = useQuery({
    queryKey: ['webhooks', webhookId, 'replays'],
    queryFn: async () => (await api().webhooks.listReplays(webhookId, { limit: SHOWN })).data,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'running') === true ? 2_000 : false),
  });
  if (isLoadingError) {
    return <Problem error={error} retry={() => void refetch()} />;
  }
  if (data === undefined || data.length === 0) {
    return null;
  }
  return (
    <Stack gap="sm">
      <Title order={2}>{t('replays')}</Title>
      <Section>
        <Stack gap="md">
          {data.map((replay) => (
            <Replay key={replay.id} webhookId={webhookId} replay={replay} />
          ))}
        </Stack>
      </Section>
    </Stack>
  );
}

function Replay({ webhookId, replay }: { webhookId: string; replay: WebhookReplay }) {
  const t = useWebhooksText();
  const number = useNumber();
  const { id, status, since, until, total, replayed } = replay;
  const cancel = useAction((replayId: string) => api().webhooks.cancelReplay(webhookId, replayId), {
    refreshes: [['webhooks', webhookId]],
    says: t('replay_was_canceled'),
  });
  return (
    <div className="replay">
      <Status tone={TONES[status]}>{t(`replay_${status}`)}</Status>
      <progress
        aria-label={t('replay_progress')}
        max={Math.max(total, 1)}
        value={status === 'completed' ? Math.max(total, 1) : replayed}
      />
      <Text size="sm" className="replay-count">
        {t('replay_count', { replayed: number(replayed), total: number(total) })}
      </Text>
      <Text size="sm" c="dimmed">
        <Time at={since} isExact /> – <Time at={until} isExact />
      </Text>
      {status === 'running' && id !== null && (
        <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(id)}>
          {t('replay_cancel')}
        </Button>
      )}
    </div>
  );
}
