import type { OperatorSubscription } from '@seathold/client';
import type { ReactNode } from 'react';
import { personalApi, useList } from '../../api/index.ts';
import { type Column, CopyId, DataTable, Status, Time, type Tone, useMoney, useNumber } from '../../ui/index.ts';
import { CustomerId, LinkedId, WithDetail } from '../frame/index.ts';
import { useMoneyText } from './messages.ts';

type Query = NonNullable<Parameters<ReturnType<typeof personalApi>['operator']['listSubscriptions']>[0]>;

const TONES = {
  incomplete: 'idle',
  active: 'success',
  past_due: 'warning',
  canceled: 'idle',
  expired: 'idle',
} as const satisfies Record<OperatorSubscription['status'], Tone>;

/** Subscriptions of one customer, or of all. */
export function SubscriptionsTable({ query, empty }: { query: Omit<Query, 'cursor' | 'limit'>; empty: ReactNode }) {
  const t = useMoneyText();
  const columns = useColumns(query.organization_id !== undefined);
  const list = useList(['staff', 'subscriptions', query], (page, signal) =>
    personalApi().operator.listSubscriptions({ ...query, ...page }, { signal }),
  );
  return <DataTable label={t('subscriptions')} columns={columns} list={list} keyOf={({ id }) => id} empty={empty} />;
}

function useColumns(isOfCustomer: boolean): ReadonlyArray<Column<OperatorSubscription>> {
  const t = useMoneyText();
  const number = useNumber();
  const money = useMoney();
  return [
    {
      title: t('plan'),
      show: ({ id, plan }) => (
        <div className="named short">
          <WithDetail detail={<CopyId id={id} />}>{plan.name}</WithDetail>
        </div>
      ),
    },
    ...(isOfCustomer
      ? []
      : [{ title: t('customer'), show: ({ organization_id: id }: OperatorSubscription) => <CustomerId id={id} /> }]),
    { title: t('status'), show: ({ status }) => <Status tone={TONES[status]}>{t(`sub_${status}`)}</Status> },
    {
      title: t('price'),
      isNumber: true,
      show: ({ plan, quantity }) => (
        <WithDetail detail={t('seat_count', { count: quantity, seats: number(quantity) })}>
          {plan.price === null ? '–' : money(plan.price * quantity, plan.currency)}
        </WithDetail>
      ),
    },
    {
      title: t('period_end'),
      show: ({ current_period_end: at, cancel_at_period_end: ends, created_at: created }) => (
        <WithDetail
          detail={
            <>
              {ends && <div>{t('ends')}</div>}
              <span className="line">
                {t('created_at')} <Time at={created} />
              </span>
            </>
          }
        >
          <Time at={at} />
        </WithDetail>
      ),
    },
    {
      title: t('license'),
      show: ({ license_id: id }) => (id === null ? '–' : <LinkedId id={id} to={`/staff/licenses/${id}`} />),
    },
  ];
}
