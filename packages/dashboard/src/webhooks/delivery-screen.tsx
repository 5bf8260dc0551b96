import { Button, Group, Stack, Text } from '@mantine/core';
import type { WebhookAttempt, WebhookDeliveryDetail } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../api/index.ts';
import { Code, CopyId, FactList, Loaded, Page, Section, Status, Time, useAction, useNumber } from '../ui/index.ts';
import { useWebhooksText } from './messages.ts';
import { DeliveryStatus } from './states.tsx';

/** One delivery: each attempt with the server's response, and the event. */
export function DeliveryScreen() {
  const t = useWebhooksText();
  const { webhookId = '', deliveryId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['webhooks', webhookId, 'deliveries', deliveryId],
    queryFn: () => api().webhooks.getDelivery(webhookId, deliveryId),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 2_000 : 10_000),
  });
  const retry = useAction(() => api().webhooks.retryDelivery(webhookId, deliveryId), {
    refreshes: [['webhooks', webhookId]],
    says: t('retried'),
  });
  return (
    <Page
      title={query.data?.event_type ?? t('delivery')}
      about={<CopyId id={deliveryId} />}
      actions={
        <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
          {t('retry')}
        </Button>
      }
    >
      <Loaded query={query} height={320}>
        {(delivery) => <Delivery delivery={delivery} />}
      </Loaded>
    </Page>
  );
}

function Delivery({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const t = useWebhooksText();
  return (
    <Stack gap="lg">
      <Section>
        <FactList
          facts={[
            [t('status'), <DeliveryStatus key="status" status={delivery.status} />],
            [t('attempts'), delivery.attempt_count],
            [t('when'), <Time key="when" at={delivery.created_at} isExact />],
            [
              t('next'),
              delivery.next_attempt_at === null ? '–' : <Time key="next" at={delivery.next_attempt_at} isExact />,
            ],
          ]}
        />
      </Section>
      <Section title={t('attempts')}>
        {delivery.attempts.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('no_attempts')}
          </Text>
        )}
        <Stack gap="md">
          {delivery.attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </Stack>
      </Section>
      {delivery.event !== null && (
        <Section title={t('payload')}>
          <Code text={JSON.stringify(delivery.event, undefined, 2)} label={t('payload')} />
        </Section>
      )}
    </Stack>
  );
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const t = useWebhooksText();
  const number = useNumber();
  const { status_code: code, error, response_excerpt: excerpt } = attempt;
  return (
    <div>
      <Group gap="sm" mb={6}>
        <Status tone={error === null ? 'success' : 'danger'}>{t('attempt', { number: attempt.number })}</Status>
        <code>{code ?? error ?? t('no_answer')}</code>
        <Text size="sm" c="dimmed">
          <Time at={attempt.at} isExact /> · {t('duration', { ms: number(attempt.duration_ms) })}
        </Text>
      </Group>
      {excerpt === null || excerpt === '' ? (
        <Text size="sm" c="dimmed">
          {t(code === null ? 'no_answer' : 'no_body')}
        </Text>
      ) : (
        <Code text={excerpt} label={t('answer')} />
      )}
    </div>
  );
}
