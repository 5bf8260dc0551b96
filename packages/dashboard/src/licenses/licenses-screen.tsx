import { Anchor, Button, Text } from '@mantine/core';
import type { License } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import { api, useList } from '../api/index.ts';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import {
  type Column,
  CopyId,
  DataTable,
  EmptyState,
  Page,
  StatusFilter,
  Time,
  useNumber,
  useStatus,
} from '../ui/index.ts';
import { LicenseStatus } from './license-status.tsx';
import { useLicensesText } from './messages.ts';

const STATUSES = ['active', 'suspended', 'expired', 'revoked'] as const;

/** The licenses of the organization. */
export function LicensesScreen() {
  const t = useLicensesText();
  const [status, choose] = useStatus(STATUSES);
  const columns = useColumns();
  const mayBuy = useMayManageBilling();
  const list = useList(['licenses', status], (page) =>
    api().licenses.list(status === undefined ? page : { ...page, status }),
  );
  return (
    <Page title={t('title')} about={t('about')}>
      <StatusFilter label={t('status')} statuses={STATUSES} chosen={status} choose={choose} nameOf={t} />
      <DataTable
        label={t('title')}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          status === undefined ? (
            <EmptyState icon="license" title={t('empty_title')} text={t('empty_text')}>
              {mayBuy ? (
                <Button component={Link} to="/subscriptions/new">
                  {t('choose_plan')}
                </Button>
              ) : (
                <Text size="sm">{t('empty_action')}</Text>
              )}
            </EmptyState>
          ) : (
            <EmptyState icon="license" title={t('none_title')} text={t('none_text')}>
              <Button variant="default" onClick={() => choose('all')}>
                {t('show_all')}
              </Button>
            </EmptyState>
          )
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
