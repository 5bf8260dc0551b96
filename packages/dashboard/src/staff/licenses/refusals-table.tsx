import { Button } from '@mantine/core';
import type { OperatorRefusal } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { personalApi, useList } from '../../api/index.ts';
import { ACTIONS, type Column, CopyId, DataTable, Time, useNumber } from '../../ui/index.ts';
import { CustomerId, LinkedId, WithDetail } from '../frame/index.ts';
import { useStaffLicensesText } from './messages.ts';

type Query = NonNullable<Parameters<ReturnType<typeof personalApi>['operator']['listRefusals']>[0]>;

/** Who was refused a seat, and why: at one customer or license, or everywhere. */
export function RefusalsTable({ query, empty }: { query: Omit<Query, 'cursor' | 'limit'>; empty: ReactNode }) {
  const t = useStaffLicensesText();
  const columns = useColumns(query);
  const list = useList(['staff', 'refusals', query], (page, signal) =>
    personalApi().operator.listRefusals({ ...query, ...page }, { signal }),
  );
  return <DataTable label={t('refusals')} columns={columns} list={list} keyOf={({ id }) => id} empty={empty} />;
}

function useColumns({ organization_id, license_id }: Query): ReadonlyArray<Column<OperatorRefusal>> {
  const t = useStaffLicensesText();
  const number = useNumber();
  const isOfLicense = license_id !== undefined;
  return [
    {
      title: t('code'),
      isLead: true,
      show: ({ code, last_at: at }) => (
        <WithDetail detail={<Time at={at} />}>
          <code>{code}</code>
        </WithDetail>
      ),
    },
    {
      title: t('seats'),
      isNumber: true,
      show: ({ active_seats: used, max_seats: total, count }) => (
        <WithDetail detail={t('times', { count })}>
          {number(used)} / {number(total)}
        </WithDetail>
      ),
    },
    {
      title: t('user'),
      show: ({ user_id: id, activation_id: activation, hardware_id: machine }) => (
        <div className="short">
          <WithDetail detail={machine !== null && <CopyId id={machine} />}>
            {id === null ? <code>{activation ?? '–'}</code> : <LinkedId id={id} to={`/staff/users/${id}`} />}
          </WithDetail>
        </div>
      ),
    },
    ...(isOfLicense
      ? []
      : [
          {
            title: t('license'),
            show: ({ license_id: id }: OperatorRefusal) => <LinkedId id={id} to={`/staff/licenses/${id}`} />,
          },
        ]),
    ...(isOfLicense || organization_id !== undefined
      ? []
      : [{ title: t('customer'), show: ({ organization_id: id }: OperatorRefusal) => <CustomerId id={id} /> }]),
    {
      title: ACTIONS,
      isNumber: true,
      show: ({ user_id: userId, license_id: licenseId }) =>
        userId !== null && (
          <Button
            size="compact-xs"
            variant="default"
            component={Link}
            to={`/staff/explain?${new URLSearchParams({ user_id: userId, license_id: licenseId })}`}
          >
            {t('explain')}
          </Button>
        ),
    },
  ];
}
