import type { OperatorPayment } from '@seathold/client';
import type { ReactNode } from 'react';
import { personalApi, useList } from '../../api/index.ts';
import { type Column, CopyId, DataTable, Status, Time, type Tone, useMoney } from '../../ui/index.ts';
import { CustomerId, WithDetail } from '../frame/index.ts';
import { useMoneyText } from './messages.ts';

type Query = NonNullable<Parameters<ReturnType<typeof personalApi>['operator']['listPayments']>[0]>;

const TONES = {
  pending: 'idle',
  requires_action: 'warning',
  processing: 'idle',
  succeeded: 'success',
  declined: 'danger',
  canceled: 'idle',
  orphaned: 'danger',
} as const satisfies Record<OperatorPayment['status'], Tone>;

/** What a payment of this service can be for. Others are shown as they are. */
const PURPOSES = ['create', 'change', 'renewal', 'retry', 'pay'] as const;

/** Payments of one customer, or of all, including orphaned ones. */
export function PaymentsTable({ query, empty }: { query: Omit<Query, 'cursor' | 'limit'>; empty: ReactNode }) {
  const t = useMoneyText();
  const columns = useColumns(query.organization_id !== undefined);
  const list = useList(['staff', 'payments', query], (page, signal) =>
    personalApi().operator.listPayments({ ...query, ...page }, { signal }),
  );
  return <DataTable label={t('payments')} columns={columns} list={list} keyOf={({ id }) => id} empty={empty} />;
}

function useColumns(isOfCustomer: boolean): ReadonlyArray<Column<OperatorPayment>> {
  const t = useMoneyText();
  const money = useMoney();
  const purposeText = ({ purpose, attempt }: OperatorPayment) => {
    const key = PURPOSES.find((each) => each === purpose);
    return (
      purpose !== null &&
      t('attempt', { purpose: key === undefined ? purpose : t(`purpose_${key}`), attempt: attempt ?? 1 })
    );
  };
  return [
    { title: t('amount'), isNumber: true, show: ({ amount, currency }) => money(amount, currency) },
    {
      title: t('status'),
      show: ({ status, decline_code: decline, orphaned_because: orphaned }) => (
        <WithDetail detail={decline ?? orphaned}>
          <Status tone={TONES[status]}>{t(`pay_${status}`)}</Status>
        </WithDetail>
      ),
    },
    ...(isOfCustomer
      ? []
      : [
          {
            title: t('customer'),
            show: ({ organization_id: id }: OperatorPayment) => (id === null ? '–' : <CustomerId id={id} />),
          },
        ]),
    {
      title: t('payment'),
      show: ({ id, provider_ref: ref }) => (
        <div className="short">
          <WithDetail detail={ref !== null && <CopyId id={ref} />}>
            <CopyId id={id} />
          </WithDetail>
        </div>
      ),
    },
    {
      title: t('invoice'),
      show: (payment) => (
        <div className="short">
          <WithDetail detail={purposeText(payment)}>
            {payment.invoice_id === null ? '–' : <CopyId id={payment.invoice_id} />}
          </WithDetail>
        </div>
      ),
    },
    { title: t('created'), show: ({ created_at: at }) => <Time at={at} /> },
  ];
}
