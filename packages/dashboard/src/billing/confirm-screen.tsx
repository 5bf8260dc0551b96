import { Button, Group, Stack, Text } from '@mantine/core';
import type { Subscription } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { api, useHasRole } from '../api/index.ts';
import { type Stripe, StripeRefusal } from '../payment-methods/stripe.ts';
import { useStripe } from '../payment-methods/use-stripe.ts';
import { Loaded, Notice, Page, Problem, Section, useAction } from '../ui/index.ts';
import { BillingOnly } from './billing-only.tsx';
import { CHANGED_BY_PAYMENTS } from './changed-by-payments.ts';
import { useBillingText } from './messages.ts';
import { usePaymentFailure } from './use-payment-failure.ts';

/** Authenticates a payment at the customer's bank, in a frame from Stripe. The URL contains the subscription. */
export function ConfirmScreen() {
  const t = useBillingText();
  const search: Record<string, unknown> = useSearch({ strict: false });
  const id = String(search.subscription ?? '');
  const maySee = useHasRole('billing');
  const query = useQuery({
    queryKey: ['subscriptions', id],
    queryFn: () => api().subscriptions.get(id),
    enabled: maySee,
    // The provider reports the outcome to the service, not to this page.
    refetchInterval: ({ state }) => (state.data !== undefined && isWaiting(state.data) ? 2_000 : false),
  });
  return (
    <Page title={t('authenticate')}>
      <BillingOnly icon="card">
        <Loaded query={query} height={140}>
          {(subscription) =>
            isWaiting(subscription) ? <Waiting subscription={subscription} /> : <Done id={subscription.id} />
          }
        </Loaded>
      </BillingOnly>
    </Page>
  );
}

function Waiting({ subscription }: { subscription: Subscription }) {
  const t = useBillingText();
  const stripe = useStripe();
  if (stripe.isError || stripe.data === null) {
    return <Notice tone="danger" title={t('authenticate_elsewhere')} />;
  }
  return (
    <Section>
      <Loaded query={stripe} height={90}>
        {(loaded) => loaded !== null && <Ask stripe={loaded} subscription={subscription} />}
      </Loaded>
    </Section>
  );
}

function Ask({ stripe, subscription }: { stripe: Stripe; subscription: Subscription }) {
  const t = useBillingText();
  const explain = usePaymentFailure();
  const ask = useAction(
    async () => {
      const clientSecret = await findClientSecret(subscription);
      const { error } = clientSecret === null ? {} : await stripe.handleNextAction({ clientSecret });
      if (error !== undefined) {
        throw new StripeRefusal(error.message ?? '');
      }
    },
    { refreshes: CHANGED_BY_PAYMENTS },
  );
  return (
    <Stack gap="md">
      <Text size="sm">{t(ask.isSuccess ? 'authenticate_wait' : 'authenticate_bank')}</Text>
      {ask.error instanceof StripeRefusal ? (
        <div className="problem" role="alert">
          <Text size="sm">{ask.error.message === '' ? t('declined_authentication_failed') : ask.error.message}</Text>
        </div>
      ) : (
        ask.isError && <Problem error={ask.error} text={explain(ask.error)} />
      )}
      <Group gap="xs">
        <Button loading={ask.isPending} disabled={ask.isSuccess} onClick={() => ask.mutate(undefined)}>
          {t('authenticate')}
        </Button>
        <Button component={Link} to={`/subscriptions/${subscription.id}`} variant="default">
          {t('later')}
        </Button>
      </Group>
    </Stack>
  );
}

function Done({ id }: { id: string }) {
  const t = useBillingText();
  return (
    <Notice tone="success" title={t('nothing_to_confirm')}>
      <Button component={Link} to={`/subscriptions/${id}`} size="xs">
        {t('show_subscription')}
      </Button>
    </Notice>
  );
}

/**
 * Begins the payment again, because its secret was only in the response to the request that began it. Null if it is
 * paid.
 */
async function findClientSecret(subscription: Subscription): Promise<string | null> {
  const { id, pending_change: pending, latest_invoice_id: invoiceId } = subscription;
  if (pending !== null) {
    const change = { quantity: pending.quantity, plan_id: pending.plan_id };
    return (await api().subscriptions.update(id, change)).pending_change?.client_secret ?? null;
  }
  if (invoiceId === null) {
    return null;
  }
  const paid = await api().invoices.pay(invoiceId);
  return paid.requires_action ? paid.client_secret : null;
}

function isWaiting({ status, pending_change: pending }: Subscription): boolean {
  return status === 'incomplete' || status === 'past_due' || pending !== null;
}
