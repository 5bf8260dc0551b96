import { Button, Stack } from '@mantine/core';
import type { Subscription } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, useHasRole } from '../api/index.ts';
import { AuthenticationDialog } from '../billing/authentication-dialog.tsx';
import { BillingOnly } from '../billing/billing-only.tsx';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { InvoiceTable } from '../invoices/invoice-table.tsx';
import { CopyId, Loaded, Page, Section } from '../ui/index.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { readSeats } from './change-rules.ts';
import { useSubscriptionsText } from './messages.ts';
import { StandingNotices } from './standing-notices.tsx';
import { SubscriptionFacts } from './subscription-facts.tsx';

/** One subscription: its cost, status, and possible changes. */
export function SubscriptionScreen() {
  const t = useSubscriptionsText();
  const { subscriptionId = '' } = useParams({ strict: false });
  const maySee = useHasRole('billing');
  const query = useQuery({
    queryKey: ['subscriptions', subscriptionId],
    queryFn: () => api().subscriptions.get(subscriptionId),
    enabled: maySee,
    // A state that waits for a bank or the next attempt changes by itself.
    refetchInterval: ({ state }) => (state.data !== undefined && isWaiting(state.data) ? 5_000 : false),
  });
  return (
    <Page title={query.data?.plan.name ?? t('subscription')} about={<CopyId id={subscriptionId} />}>
      <BillingOnly icon="subscription">
        <Loaded query={query} height={420}>
          {(subscription) => <Details subscription={subscription} />}
        </Loaded>
      </BillingOnly>
    </Page>
  );
}

type Act = 'change' | 'cancel';

function Details({ subscription }: { subscription: Subscription }) {
  const t = useSubscriptionsText();
  const navigate = useNavigate();
  const asked = readSeats(useSearch({ strict: false }));
  const [act, setAct] = useState<Act | undefined>(asked === undefined ? undefined : 'change');
  const [clientSecret, setClientSecret] = useState<string>();
  const { id, status } = subscription;
  const isLive = subscription.ended_at === null;
  const mayManage = useMayManageBilling();
  const close = () => {
    setAct(undefined);
    // Removes the link's parameter, so that a reload does not open the dialog again.
    void navigate({ to: `/subscriptions/${id}`, replace: true });
  };
  return (
    <Stack gap="lg">
      <StandingNotices subscription={subscription} authenticate={setClientSecret} />
      <Section
        title={t('subscription')}
        actions={
          <span style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
            {mayManage && status === 'active' && (
              <Button size="xs" onClick={() => setAct('change')}>
                {t('change')}
              </Button>
            )}
            {mayManage && isLive && (
              <Button size="xs" variant="default" onClick={() => setAct('cancel')}>
                {t('cancel')}
              </Button>
            )}
          </span>
        }
      >
        <SubscriptionFacts subscription={subscription} />
      </Section>
      <Stack gap="sm">
        <h2 style={{ margin: 0, fontSize: '1.125rem' }}>{t('invoices')}</h2>
        <InvoiceTable subscriptionId={id} />
      </Stack>
      {mayManage && status === 'active' && (
        <ChangeDialog
          subscription={subscription}
          seats={asked}
          isOpen={act === 'change'}
          close={close}
          authenticate={setClientSecret}
        />
      )}
      <CancelDialog subscription={subscription} isOpen={act === 'cancel'} close={() => setAct(undefined)} />
      <AuthenticationDialog subscriptionId={id} clientSecret={clientSecret} close={() => setClientSecret(undefined)} />
    </Stack>
  );
}

function isWaiting({ status, pending_change: pending }: Subscription): boolean {
  return status === 'incomplete' || status === 'past_due' || pending !== null;
}
