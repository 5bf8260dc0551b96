import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api/index.ts';
import { usePolling } from '../live/live-state.ts';
import { Problem, useNumber } from '../ui/index.ts';
import { useOverviewText } from './messages.ts';

/** The seats of the organization's active licenses, at a glance. */
export function Figures() {
  const t = useOverviewText();
  const number = useNumber();
  const query = useQuery({
    queryKey: ['licenses', 'figures'],
    queryFn: countSeats,
    refetchInterval: usePolling(10_000),
  });
  if (query.isError) {
    return <Problem error={query.error} retry={() => void query.refetch()} />;
  }
  const { used = 0, total = 0, licenses = '' } = query.data ?? {};
  const isPending = query.data === undefined;
  return (
    <div className="figures">
      <Figure
        title={t('seats')}
        isPending={isPending}
        value={number(used)}
        note={t('of_seats', { count: number(total) })}
      >
        <div className="meter" aria-hidden="true">
          <span style={{ width: `${total === 0 ? 0 : Math.min(100, (used / total) * 100)}%` }} />
        </div>
      </Figure>
      <Figure title={t('licenses')} isPending={isPending} value={licenses} />
    </div>
  );
}

function Figure(props: { title: string; isPending: boolean; value: string; note?: string; children?: ReactNode }) {
  const { title, isPending, value, note, children } = props;
  return (
    <div className="card figure">
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      {isPending ? (
        <Skeleton height={34} width={72} />
      ) : (
        <strong>
          {value}{' '}
          {note !== undefined && (
            <Text span size="sm" c="dimmed" fw={400}>
              {note}
            </Text>
          )}
        </strong>
      )}
      {children}
    </div>
  );
}

/** A hundred licenses are enough; more are only counted. */
async function countSeats() {
  const { data, pagination } = await api().licenses.list({ limit: 100, status: 'active' });
  return {
    used: data.reduce((sum, license) => sum + license.active_seats, 0),
    total: data.reduce((sum, license) => sum + license.max_seats, 0),
    licenses: pagination.has_more ? `${data.length}+` : String(data.length),
  };
}
