import { Anchor } from '@mantine/core';
import type { OperatorLicense } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { personalApi, useList } from '../../api/index.ts';
import { LicenseStatus } from '../../licenses/license-status.tsx';
import { type Column, CopyId, DataTable, Time, useNumber } from '../../ui/index.ts';
import { CustomerId, WithDetail } from '../frame/index.ts';
import { useStaffLicensesText } from './messages.ts';

type Query = NonNullable<Parameters<ReturnType<typeof personalApi>['operator']['listLicenses']>[0]>;

/** Licenses of one customer, or of all. */
export function LicensesTable({ query, empty }: { query: Omit<Query, 'cursor' | 'limit'>; empty: ReactNode }) {
  const t = useStaffLicensesText();
  const columns = useColumns(query.organization_id !== undefined);
  const list = useList(['staff', 'licenses', query], (page, signal) =>
    personalApi().operator.listLicenses({ ...query, ...page }, { signal }),
  );
  return <DataTable label={t('title')} columns={columns} list={list} keyOf={({ id }) => id} empty={empty} />;
}

function useColumns(isOfCustomer: boolean): ReadonlyArray<Column<OperatorLicense>> {
  const t = useStaffLicensesText();
  const number = useNumber();
  return [
    {
      title: t('product'),
      show: ({ id, product, key }) => (
        <div className="named">
          <WithDetail detail={<CopyId id={key} />}>
            <Anchor component={Link} to={`/staff/licenses/${id}`} fw={500} size="sm">
              {product}
            </Anchor>
          </WithDetail>
        </div>
      ),
    },
    ...(isOfCustomer
      ? []
      : [{ title: t('customer'), show: ({ organization_id: id }: OperatorLicense) => <CustomerId id={id} /> }]),
    { title: t('status'), show: ({ status }) => <LicenseStatus status={status} /> },
    {
      title: t('seats'),
      isNumber: true,
      show: ({ active_seats: used, max_seats: total }) => `${number(used)} / ${number(total)}`,
    },
    { title: t('expires'), show: ({ expires_at: at }) => <Time at={at} /> },
    {
      title: t('created'),
      show: ({ created_at: at, subscription_id: id }) => (
        <WithDetail detail={t(id === null ? 'issued' : 'subscription')}>
          <Time at={at} />
        </WithDetail>
      ),
    },
  ];
}
