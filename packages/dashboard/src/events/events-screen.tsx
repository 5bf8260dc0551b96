import { Anchor, Button, NativeSelect } from '@mantine/core';
import type { Seathold } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, eventTypes, useList } from '../api/index.ts';
import { usePolling } from '../live/live-state.ts';
import { CopyId, DataTable, EmptyState, Page, Time, useFilters } from '../ui/index.ts';
import { useEventsText } from './messages.ts';
import { TestEventDialog } from './test-event-dialog.tsx';

type Type = NonNullable<NonNullable<Parameters<Seathold['events']['list']>[0]>['type']>;

/** What happened in the organization, newest first. */
export function EventsScreen() {
  const t = useEventsText();
  const [isTesting, setTesting] = useState(false);
  const [filters, choose] = useFilters(['type']);
  // The API refuses an unknown one with a message.
  const type = filters.type as Type | undefined;
  const types = useQuery(eventTypes);
  const names = types.data?.data.map((each) => each.type) ?? (type === undefined ? [] : [type]);
  const list = useList(
    ['events', 'list', type],
    (page) => api().events.list(type === undefined ? page : { ...page, type }),
    { refetchInterval: usePolling(5_000) },
  );
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        <Button variant="default" onClick={() => setTesting(true)}>
          {t('test')}
        </Button>
      }
    >
      <NativeSelect
        aria-label={t('type')}
        value={type ?? ''}
        onChange={({ currentTarget }) => choose({ type: currentTarget.value })}
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
        empty={
          type === undefined ? (
            <EmptyState icon="event" title={t('empty_title')} text={t('empty_text')} />
          ) : (
            <EmptyState icon="event" title={t('none_title')} text={t('none_text')} />
          )
        }
      />
      <TestEventDialog isOpen={isTesting} close={() => setTesting(false)} />
    </Page>
  );
}
