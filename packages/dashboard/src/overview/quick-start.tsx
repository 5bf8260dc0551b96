import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, useHasRole } from '../api/index.ts';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { usePolling } from '../live/live-state.ts';
import { Icon, Section } from '../ui/index.ts';
import { useOverviewText } from './messages.ts';
import './quick-start.css';

/** The first steps, each ticked as soon as it is done. Gone when all are. */
export function QuickStart() {
  const t = useOverviewText();
  const isAdmin = useHasRole('admin');
  const mayBuy = useMayManageBilling();
  const polling = usePolling(10_000, 30_000);
  const query = useQuery({
    queryKey: ['quick-start', isAdmin],
    queryFn: () => findProgress(isAdmin),
    refetchInterval: ({ state }) =>
      state.data !== undefined && Object.values(state.data).every(Boolean) ? false : polling,
  });
  const progress = query.data;
  if (progress === undefined || Object.values(progress).every(Boolean)) {
    return null;
  }
  const steps = [
    { name: 'key', to: '/api-keys', isDone: progress.key },
    { name: 'license', to: mayBuy && !progress.license ? '/subscriptions/new' : '/licenses', isDone: progress.license },
    {
      name: 'seat',
      to: progress.licenseId === '' ? '/licenses' : `/licenses/${progress.licenseId}`,
      isDone: progress.seat,
    },
    ...(isAdmin ? [{ name: 'webhook', to: '/webhooks', isDone: progress.webhook } as const] : []),
  ] as const;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section
      title={t('quick_start')}
      actions={
        <Text size="sm" c="dimmed">
          {t('progress', { done, all: steps.length })}
        </Text>
      }
    >
      <ol className="steps">
        {steps.map(({ name, to, isDone }) => (
          <li key={name} data-done={isDone}>
            <Group gap="sm" wrap="nowrap" align="flex-start">
              <span className="tick" role="img" aria-label={t(isDone ? 'done' : 'open')}>
                <Icon name={isDone ? 'check' : 'circle'} />
              </span>
              <div>
                <Anchor component={Link} to={to} fw={500} size="sm">
                  {t(`step_${name}`)}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {t(`step_${name}_text`)}
                </Text>
              </div>
            </Group>
          </li>
        ))}
      </ol>
    </Section>
  );
}

async function findProgress(isAdmin: boolean) {
  const one = { limit: 1 };
  const [keys, licenses, webhooks] = await Promise.all([
    api().apiTokens.list(one),
    api().licenses.list({ limit: 1, status: 'active' }),
    isAdmin ? api().webhooks.list(one) : undefined,
  ]);
  const [license] = licenses.data;
  const sessions = license === undefined ? undefined : await api().licenses.listSessions(license.id, one);
  return {
    key: keys.data.length > 0,
    license: license !== undefined,
    licenseId: license?.id ?? '',
    seat: sessions !== undefined && sessions.data.length > 0,
    webhook: webhooks === undefined || webhooks.data.length > 0,
  };
}
