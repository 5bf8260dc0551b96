import { Skeleton, Stack } from '@mantine/core';
import type { PaymentMethod, Plan } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, useHasRole } from '../api/index.ts';
import { AuthenticationDialog } from '../billing/authentication-dialog.tsx';
import { BillingOnly } from '../billing/billing-only.tsx';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { EmptyState, Page, Problem } from '../ui/index.ts';
import { useSubscriptionsText } from './messages.ts';
import { OrderForm } from './order-form.tsx';
import { allPlans } from './plans-query.ts';

/** Buys a subscription: a plan, a number of seats, a card. */
export function BuyScreen() {
  const t = useSubscriptionsText();
  const mayBuy = useMayManageBilling();
  return (
    <Page title={t('buy')} about={t('buy_about')}>
      <BillingOnly icon="subscription">
        {mayBuy ? (
          <Order />
        ) : (
          <div className="card">
            <EmptyState icon="subscription" title={t('only_finance')} text={t('only_finance_text')} />
          </div>
        )}
      </BillingOnly>
    </Page>
  );
}

function Order() {
  const maySee = useHasRole('billing');
  const plans = useQuery(allPlans);
  const methods = useQuery({
    queryKey: ['payment-methods', 'choices'],
    queryFn: async () => (await api().paymentMethods.list({ limit: 100 })).data,
    enabled: maySee,
  });
  const failed = plans.isError ? plans : methods;
  if (failed.isError) {
    return <Problem error={failed.error} retry={() => void failed.refetch()} />;
  }
  return plans.isSuccess && methods.isSuccess ? (
    <Ordering plans={plans.data} methods={methods.data} />
  ) : (
    <Stack gap="lg">
      <Skeleton height={210} radius="md" />
      <Skeleton height={150} radius="md" />
      <Skeleton height={240} radius="md" />
    </Stack>
  );
}

function Ordering({ plans, methods }: { plans: readonly Plan[]; methods: readonly PaymentMethod[] }) {
  const t = useSubscriptionsText();
  const navigate = useNavigate();
  const [waiting, setWaiting] = useState<{ id: string; clientSecret: string }>();
  const show = (id: string) => void navigate({ to: `/subscriptions/${id}` });
  if (plans.length === 0) {
    return (
      <div className="card">
        <EmptyState icon="subscription" title={t('no_plans')} text={t('no_plans_text')} />
      </div>
    );
  }
  return (
    <>
      <OrderForm
        plans={plans}
        methods={methods}
        bought={({ id, requires_action: isNeeded, client_secret: clientSecret }) =>
          isNeeded && clientSecret !== null ? setWaiting({ id, clientSecret }) : show(id)
        }
      />
      <AuthenticationDialog
        clientSecret={waiting?.clientSecret}
        subscriptionId={waiting?.id ?? ''}
        close={() => waiting !== undefined && show(waiting.id)}
      />
    </>
  );
}
