import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, useHasRole } from '../api/index.ts';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { usePolling } from '../live/live-state.ts';
import { Icon, Section } from '../ui/index.ts';
import { useOverviewText } from './messages.ts';
import './quick-start.css';

type Progress = Awaited<ReturnType<typeof findProgress>>;

/**
 * The first steps, each checked when it is done, and the content below them. The steps disappear when all are done.
 * Until their progress is known, the content is rendered but hidden, so that it loads at the same time and does not
 * move.
 */
export function AfterQuickStart({ children }: { children: ReactNode }) {
  const isAdmin = useHasRole('admin');
  const polling = usePolling(10_000, 30_000);
  const query = useQuery({
    queryKey: ['quick-start', isAdmin],
    queryFn: () => findProgress(isAdmin),
    refetchInterval: ({ state }) =>
      state.data !== undefined && Object.values(state.data).every(Boolean) ? false : polling,
  });
  const { data: progress, isPending } = query;
  const isLeft = progress !== undefined && !Object.values(progress).every(Boolean);
  return (
    <>
      {isPending && <Skeleton height={480} radius="md" />}
      {isLeft && <Steps progress={progress} />}
      <Stack gap="lg" display={isPending ? 'none' : 'flex'}>
        {children}
      </Stack>
    </>
  );
}

function Steps({ progress }: { progress: Progress }) {
  const t = useOverviewText();
  const isAdmin = useHasRole('admin');
  const mayBuy = useMayManageBilling();
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
  const [keys, licenses, webhooks, acquired] = await Promise.all([
    api().apiTokens.list(one),
    api().licenses.list({ limit: 100, status: 'active' }),
    isAdmin ? api().webhooks.list(one) : undefined,
    isAdmin ? api().events.list({ limit: 1, type: 'license.seat.acquired' }) : undefined,
  ]);
  const [license] = licenses.data;
  return {
    key: keys.data.length > 0,
    license: license !== undefined,
    licenseId: license?.id ?? '',
    // A released seat also counts as taken.
    seat: licenses.data.some(({ active_seats: used }) => used > 0) || (acquired?.data.length ?? 0) > 0,
    webhook: webhooks === undefined || webhooks.data.length > 0,
  };
}
