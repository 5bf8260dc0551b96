import { Anchor, Button, SegmentedControl, Text } from '@mantine/core';
import type { License } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, useList } from '../api/index.ts';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { type Column, CopyId, DataTable, EmptyState, Page, Time, useNumber } from '../ui/index.ts';
import { LicenseStatus } from './license-status.tsx';
import { useLicensesText } from './messages.ts';

const FILTERS = ['all', 'active', 'suspended', 'expired', 'revoked'] as const;

/** The licenses of the organization. */
export function LicensesScreen() {
  const t = useLicensesText();
  const [status, setStatus] = useState<(typeof FILTERS)[number]>('all');
  const columns = useColumns();
  const mayBuy = useMayManageBilling();
  const list = useList(['licenses', status], (page) =>
    api().licenses.list(status === 'all' ? page : { ...page, status }),
  );
  return (
    <Page title={t('title')} about={t('about')}>
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          size="xs"
          aria-label={t('status')}
          value={status}
          onChange={(value) => setStatus(value as typeof status)}
          data={FILTERS.map((value) => ({ value, label: t(value) }))}
        />
      </div>
      <DataTable
        label={t('title')}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="license" title={t('empty_title')} text={t('empty_text')}>
            {mayBuy ? (
              <Button component={Link} to="/subscriptions/new">
                {t('choose_plan')}
              </Button>
            ) : (
              <Text size="sm">{t('empty_action')}</Text>
            )}
          </EmptyState>
        }
      />
    </Page>
  );
}

function useColumns(): ReadonlyArray<Column<License>> {
  const t = useLicensesText();
  const number = useNumber();
  return [
    {
      title: t('product'),
      show: ({ id, product }) => (
        <Anchor component={Link} to={`/licenses/${id}`} fw={500} size="sm">
          {product}
        </Anchor>
      ),
    },
    { title: t('key'), show: ({ key }) => <CopyId id={key} /> },
    {
      title: t('seats'),
      isNumber: true,
      show: ({ active_seats: used, max_seats: total }) => `${number(used)} / ${number(total)}`,
    },
    { title: t('status'), show: ({ status }) => <LicenseStatus status={status} /> },
    {
      title: t('expires'),
      show: ({ expires_at: at }) => (at === null ? t('perpetual') : <Time at={at} />),
    },
  ];
}
