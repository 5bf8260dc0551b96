import { Button } from '@mantine/core';
import type { OperatorAuditLogEntry } from '@seathold/client';
import { useState } from 'react';
import { personalApi, useList } from '../../api/index.ts';
import { EntryDialog } from '../../audit-log/entry-dialog.tsx';
import { ACTIONS, type Column, CopyId, DataTable, EmptyState, Page, Time, useFilters } from '../../ui/index.ts';
import { CustomerId, FilterForm, startOfDay, useStaffText, WithDetail } from '../frame/index.ts';
import { useStaffAuditText } from './messages.ts';

const NAMES = ['actor', 'actor_type', 'action', 'organization_id', 'created_after'] as const;
const TYPES = ['user', 'staff', 'operator_token', 'operator', 'unknown'] as const;

/** Who changed what, in any organization and in the installation itself. */
export function StaffAuditLogScreen() {
  const t = useStaffAuditText();
  const common = useStaffText();
  const [filters, choose] = useFilters(NAMES);
  const [shown, setShown] = useState<OperatorAuditLogEntry>();
  const { actor_type: chosen, created_after: after, ...others } = filters;
  const type = TYPES.find((each) => each === chosen);
  const list = useList(['staff', 'audit-log', filters], (page, signal) =>
    personalApi().operator.listAuditLog(
      {
        ...page,
        ...others,
        ...(type === undefined ? {} : { actor_type: type }),
        ...(after === undefined ? {} : { created_after: startOfDay(after) }),
      },
      { signal },
    ),
  );
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title={t('title')} about={t('about')}>
      <FilterForm
        fields={[
          { name: 'actor', label: t('actor_filter') },
          { name: 'actor_type', label: t('actor_type'), values: TYPES.map((value) => ({ value, label: t(value) })) },
          { name: 'action', label: t('action') },
          { name: 'organization_id', label: t('organization_id') },
          { name: 'created_after', label: t('created_after'), type: 'date' },
        ]}
        filters={filters}
        choose={choose}
      />
      <DataTable
        label={t('title')}
        columns={useColumns(setShown)}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            icon="audit"
            title={isFiltered ? common('none_title') : t('empty_title')}
            text={isFiltered ? common('none_text') : t('empty_text')}
          />
        }
      />
      {shown !== undefined && <EntryDialog entry={shown} close={() => setShown(undefined)} />}
    </Page>
  );
}

function useColumns(show: (entry: OperatorAuditLogEntry) => void): ReadonlyArray<Column<OperatorAuditLogEntry>> {
  const t = useStaffAuditText();
  return [
    { title: t('time'), show: ({ created_at: at }) => <Time at={at} /> },
    {
      title: t('action'),
      isLead: true,
      show: ({ action, target }) => (
        <WithDetail detail={<CopyId id={target.id} />}>
          <code>{action}</code>
        </WithDetail>
      ),
    },
    {
      title: t('actor'),
      show: ({ actor: { type, email, id } }) =>
        email === null && id === null ? (
          t(type)
        ) : (
          <div className="named">
            <WithDetail detail={t(type)}>{email ?? <CopyId id={id ?? ''} />}</WithDetail>
          </div>
        ),
    },
    {
      title: t('customer'),
      show: ({ organization_id: id }) => (id === null ? t('installation') : <CustomerId id={id} />),
    },
    {
      title: ACTIONS,
      isNumber: true,
      show: (entry) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('show_entry', { action: entry.action })}
          onClick={() => show(entry)}
        >
          {t('show')}
        </Button>
      ),
    },
  ];
}
