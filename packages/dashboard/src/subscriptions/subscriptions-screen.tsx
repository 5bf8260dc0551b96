import { Anchor, Button, Stack } from '@mantine/core';
import type { Subscription } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import { api, useList } from '../api/index.ts';
import { BillingOnly } from '../billing/billing-only.tsx';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { CreditBalance } from '../credit-balance/credit-balance.tsx';
import {
  type Column,
  DataTable,
  EmptyState,
  Page,
  StatusFilter,
  Time,
  useMoney,
  useNumber,
  useStatus,
} from '../ui/index.ts';
import { useSubscriptionsText } from './messages.ts';
import { SubscriptionStatus } from './subscription-status.tsx';

const STATUSES = ['active', 'past_due', 'incomplete', 'canceled', 'expired'] as const;

/** The subscriptions of the organization, including ended ones. */
export function SubscriptionsScreen() {
  const t = useSubscriptionsText();
  const mayBuy = useMayManageBilling();
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        mayBuy && (
          <Button component={Link} to="/subscriptions/new">
            {t('buy')}
          </Button>
        )
      }
    >
      <BillingOnly icon="subscription">
        <Subscriptions />
      </BillingOnly>
    </Page>
  );
}

function Subscriptions() {
  const t = useSubscriptionsText();
  const [status, choose] = useStatus(STATUSES);
  const columns = useColumns();
  const mayBuy = useMayManageBilling();
  const list = useList(['subscriptions', 'list', status], (page) =>
    api().subscriptions.list(status === undefined ? page : { ...page, status }),
  );
  return (
    <Stack gap="md">
      <CreditBalance />
      <StatusFilter label={t('status')} statuses={STATUSES} chosen={status} choose={choose} nameOf={t} />
      <DataTable
        label={t('title')}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          status === undefined ? (
            <EmptyState icon="subscription" title={t('empty_title')} text={t('empty_text')}>
              {mayBuy && (
                <Button component={Link} to="/subscriptions/new">
                  {t('buy')}
                </Button>
              )}
            </EmptyState>
          ) : (
            <EmptyState icon="subscription" title={t('empty_filter')} text={t('empty_filter_text')}>
              <Button variant="default" onClick={() => choose('all')}>
                {t('show_all')}
              </Button>
            </EmptyState>
          )
        }
      />
    </Stack>
  );
}

function useColumns(): ReadonlyArray<Column<Subscription>> {
  const t = useSubscriptionsText();
  const number = useNumber();
  const money = useMoney();
  return [
    {
      title: t('plan'),
      show: ({ id, plan }) => (
        <Anchor component={Link} to={`/subscriptions/${id}`} fw={500} size="sm">
          {plan.name}
        </Anchor>
      ),
    },
    { title: t('seats'), isNumber: true, show: ({ quantity }) => number(quantity) },
    {
      title: t('price'),
      isNumber: true,
      show: ({ plan, quantity }) => t('monthly', { price: money((plan.price ?? 0) * quantity, plan.currency) }),
    },
    { title: t('status'), show: (subscription) => <SubscriptionStatus subscription={subscription} /> },
    {
      title: t('period_end'),
      show: ({ ended_at: endedAt, current_period_end: end }) => (endedAt === null ? <Time at={end} isExact /> : '–'),
    },
    { title: t('created'), show: ({ created_at: at }) => <Time at={at} /> },
  ];
}
