import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../api/index.ts';
import { usePolling } from '../live/live-state.ts';
import { Loaded, Section, Table, Time } from '../ui/index.ts';
import { useOverviewText } from './messages.ts';

/** What happened last in the organization. */
export function RecentEvents() {
  const t = useOverviewText();
  const query = useQuery({
    queryKey: ['events', 'recent'],
    queryFn: () => api().events.list({ limit: 8 }),
    refetchInterval: usePolling(10_000),
  });
  return (
    <Section
      title={t('recent')}
      actions={
        <Anchor component={Link} to="/events" size="sm">
          {t('all_events')}
        </Anchor>
      }
      isFlush
    >
      <Loaded query={query} height={352}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed" p="md" pt={0}>
              {t('no_events')}
            </Text>
          ) : (
            <Table
              label={t('recent')}
              className="fits recent-events"
              columns={[
                {
                  title: t('event'),
                  show: ({ id, type }) => (
                    <Anchor component={Link} to={`/events/${id}`} size="sm">
                      <code>{type}</code>
                    </Anchor>
                  ),
                },
                { title: t('when'), isNumber: true, show: ({ created }) => <Time at={created} /> },
              ]}
              items={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
