import { Button, Group, TextInput } from '@mantine/core';
import type { AuditLogEntry } from '@seathold/client';
import { type FormEvent, useState } from 'react';
import { api, useList } from '../api/index.ts';
import { ACTIONS, type Column, CopyId, DataTable, EmptyState, Page, Time, useFilters } from '../ui/index.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { useAuditLogText } from './messages.ts';

const FILTERS = ['action', 'actor_user_id', 'target_id'] as const;
const LABELS = { action: 'action', actor_user_id: 'actor_id', target_id: 'target_id' } as const;

type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

/** Who changed what in the organization, newest first. */
export function AuditLogScreen() {
  const t = useAuditLogText();
  const [filters, choose] = useFilters(FILTERS);
  const [shown, setShown] = useState<AuditLogEntry>();
  const columns = useColumns(setShown);
  const list = useList(['audit-log', filters], (page) => api().auditLog.list({ ...page, ...filters }));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title={t('title')} about={t('about')}>
      <FilterForm filters={filters} choose={choose} />
      <DataTable
        label={t('title')}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            icon="audit"
            title={t(isFiltered ? 'none_title' : 'empty_title')}
            text={t(isFiltered ? 'none_text' : 'empty_text')}
          />
        }
      />
      {shown !== undefined && <EntryDialog entry={shown} close={() => setShown(undefined)} />}
    </Page>
  );
}

function FilterForm({ filters, choose }: { filters: Filters; choose: (filters: Filters) => void }) {
  const t = useAuditLogText();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    choose(Object.fromEntries(FILTERS.map((name) => [name, String(form.get(name))])));
  };
  return (
    // Rendered again when the URL changes, so that the fields show the filters of the list.
    <form key={JSON.stringify(filters)} onSubmit={send}>
      <Group gap="xs" align="flex-end">
        {FILTERS.map((name) => (
          <TextInput
            key={name}
            size="xs"
            name={name}
            label={t(LABELS[name])}
            defaultValue={filters[name]}
            maxLength={200}
            flex="1 1 9rem"
            maw={240}
          />
        ))}
        <Button size="xs" type="submit">
          {t('filter')}
        </Button>
        <Button size="xs" variant="default" onClick={() => choose({})}>
          {t('clear')}
        </Button>
      </Group>
    </form>
  );
}

function useColumns(show: (entry: AuditLogEntry) => void): ReadonlyArray<Column<AuditLogEntry>> {
  const t = useAuditLogText();
  return [
    { title: t('action'), show: ({ action }) => <code>{action}</code> },
    {
      title: t('actor'),
      show: ({ actor: { type, email, id } }) => email ?? (id === null ? t(type) : <CopyId id={id} />),
    },
    { title: t('target'), show: ({ target }) => <CopyId id={target.id} /> },
    { title: t('time'), show: ({ created_at: at }) => <Time at={at} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (entry) => (
        <Button size="compact-xs" variant="default" onClick={() => show(entry)}>
          {t('show')}
        </Button>
      ),
    },
  ];
}
