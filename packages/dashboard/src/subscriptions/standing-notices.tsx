import { Button } from '@mantine/core';
import type { Subscription } from '@seathold/client';
import type { UseMutationResult } from '@tanstack/react-query';
import { actingFor, api, useHasRole } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { CHANGED_BY_PAYMENTS } from '../billing/changed-by-payments.ts';
import { useBillingText } from '../billing/messages.ts';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { usePaymentFailure } from '../billing/use-payment-failure.ts';
import { Notice, Problem, Time, useAction } from '../ui/index.ts';
import { useSubscriptionsText } from './messages.ts';

interface StandingNoticesProps {
  subscription: Subscription;
  /** Shows the page of the bank. */
  authenticate: (clientSecret: string) => void;
}

/** What a subscription is waiting for, and the button that continues. */
export function StandingNotices({ subscription, authenticate }: StandingNoticesProps) {
  const t = useSubscriptionsText();
  const { status, pending_change: pending, cancel_at_period_end: isEnding } = subscription;
  const isProcessing = (status === 'incomplete' || pending !== null) && !subscription.requires_action;
  const end = <Time at={subscription.current_period_end} isExact />;
  return (
    <>
      {isProcessing && <Notice tone="warning" title={t('processing')} text={t('processing_text')} />}
      {status === 'incomplete' && !isProcessing && (
        <Notice tone="warning" title={t('incomplete_title')} text={t('incomplete_text')}>
          <PayButton {...{ subscription, authenticate }} label={t('continue_payment')} />
        </Notice>
      )}
      {status === 'past_due' && (
        <Notice tone="danger" title={t('past_due_title')} text={t('past_due_text')}>
          <PayButton {...{ subscription, authenticate }} label={t('pay_now')} />
        </Notice>
      )}
      {pending !== null && !isProcessing && (
        <Notice
          tone="warning"
          title={t('pending_title', { count: pending.quantity })}
          text={
            <>
              {t('pending_text')} <Time at={pending.expires_at} isExact />
            </>
          }
        >
          <ContinueChange {...{ subscription, authenticate, pending }} />
        </Notice>
      )}
      {status === 'active' && isEnding && (
        <Notice tone="warning" title={t('ending_title')} text={end}>
          <ResumeButton subscription={subscription} />
        </Notice>
      )}
    </>
  );
}

/** Charges the open invoice again, with the person present to authenticate. */
function PayButton({ subscription, authenticate, label }: StandingNoticesProps & { label: string }) {
  const t = useSubscriptionsText();
  const pay = useAction((invoiceId: string) => api().invoices.pay(invoiceId), {
    refreshes: CHANGED_BY_PAYMENTS,
    succeeds: ({ requires_action: isNeeded, client_secret: secret }) =>
      isNeeded && secret !== null && authenticate(secret),
    says: ({ requires_action: isNeeded }) => t(isNeeded ? 'needs_authentication' : 'paid'),
  });
  const invoiceId = subscription.latest_invoice_id;
  return (
    invoiceId !== null && (
      <GoOn action={pay} label={label} needsCustomer={subscription.requires_action} run={() => pay.mutate(invoiceId)} />
    )
  );
}

/** Requests the same change again: its payment replaces the one whose secret is unknown here. */
function ContinueChange(props: StandingNoticesProps & { pending: NonNullable<Subscription['pending_change']> }) {
  const { subscription, authenticate, pending } = props;
  const t = useSubscriptionsText();
  const change = useAction(
    () => api().subscriptions.update(subscription.id, { quantity: pending.quantity, plan_id: pending.plan_id }),
    {
      refreshes: CHANGED_BY_PAYMENTS,
      succeeds: ({ pending_change: again }) => {
        if (again !== null && again.client_secret !== null) {
          authenticate(again.client_secret);
        }
      },
    },
  );
  return <GoOn action={change} label={t('continue_payment')} needsCustomer run={() => change.mutate(undefined)} />;
}

function ResumeButton({ subscription: { id } }: { subscription: Subscription }) {
  const t = useSubscriptionsText();
  const resume = useAction(() => api().subscriptions.resume(id), {
    refreshes: CHANGED_BY_PAYMENTS,
    says: t('resumed'),
  });
  return <GoOn action={resume} label={t('resume')} run={() => resume.mutate(undefined)} />;
}

function GoOn<Input, Output>(props: {
  action: UseMutationResult<Output, Error, Input>;
  label: string;
  run: () => void;
  /**
   * Only the customer can continue with it; in the sandbox, an admin acts as the customer. Staff never get the secret
   * for that.
   */
  needsCustomer?: boolean;
}) {
  const { action, label, run, needsCustomer = false } = props;
  const t = useBillingText();
  const explain = usePaymentFailure();
  const isAdmin = useHasRole('admin');
  const isSandbox = useFacts().environment === 'sandbox';
  const mayManage = useMayManageBilling();
  if (!mayManage || (needsCustomer && actingFor !== undefined)) {
    return null;
  }
  if (needsCustomer && isSandbox && !isAdmin) {
    return <span>{t('authenticate_forbidden')}</span>;
  }
  return (
    <>
      <Button size="xs" loading={action.isPending} onClick={run}>
        {label}
      </Button>
      {action.isError && (
        <div style={{ flexBasis: '100%' }}>
          <Problem error={action.error} text={explain(action.error)} />
        </div>
      )}
    </>
  );
}
