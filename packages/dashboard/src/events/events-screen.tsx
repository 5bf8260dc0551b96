import { Anchor, NativeSelect } from '@mantine/core';
import type { Seathold } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, useList } from '../api/index.ts';
import { CopyId, DataTable, EmptyState, Page, Time } from '../ui/index.ts';
import { useEventsText } from './messages.ts';

type Type = NonNullable<NonNullable<Parameters<Seathold['events']['list']>[0]>['type']>;

/** What happened in the organization, newest first. */
export function EventsScreen() {
  const t = useEventsText();
  const [type, setType] = useState<Type>();
  const types = useQuery({
    queryKey: ['event-types'],
    queryFn: () => api().eventTypes.list({ limit: 100 }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const names = types.data?.data.map((each) => each.type) ?? [];
  const list = useList(
    ['events', 'list', type],
    (page) => api().events.list(type === undefined ? page : { ...page, type }),
    { refetchInterval: 5_000 },
  );
  return (
    <Page title={t('title')} about={t('about')}>
      <NativeSelect
        aria-label={t('type')}
        value={type ?? ''}
        onChange={({ currentTarget: { value } }) => setType(value === '' ? undefined : (value as Type))}
        data={[{ value: '', label: t('all') }, ...names]}
        maw={320}
      />
      <DataTable
        label={t('title')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('type'),
            show: ({ id, type: name }) => (
              <Anchor component={Link} to={`/events/${id}`} size="sm">
                <code>{name}</code>
              </Anchor>
            ),
          },
          { title: t('id'), show: ({ id }) => <CopyId id={id} /> },
          { title: t('when'), show: ({ created }) => <Time at={created} /> },
        ]}
        empty={<EmptyState icon="event" title={t('empty_title')} text={t('empty_text')} />}
      />
    </Page>
  );
}
