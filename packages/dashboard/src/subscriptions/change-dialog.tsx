import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Subscription, UpdateSubscriptionBody } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/index.ts';
import { CHANGED_BY_PAYMENTS } from '../billing/changed-by-payments.ts';
import { useOrderKey } from '../billing/use-order-key.ts';
import { usePaymentFailure } from '../billing/use-payment-failure.ts';
import { FormDialog, useAction, useMoney } from '../ui/index.ts';
import { ChangePreviewPanel } from './change-preview-panel.tsx';
import { changeOf, planChoices } from './change-rules.ts';
import { useSubscriptionsText } from './messages.ts';
import { allPlans } from './plans-query.ts';

interface ChangeDialogProps {
  subscription: Subscription;
  /** The initial value of the field; the current number if undefined. */
  seats: number | undefined;
  isOpen: boolean;
  close: () => void;
  authenticate: (clientSecret: string) => void;
}

/** The pause in typing before the price is requested. */
const PAUSE_MS = 250;

/** Changes the seats or the plan, with a live preview of the cost. */
export function ChangeDialog({ subscription, seats, isOpen, close, authenticate }: ChangeDialogProps) {
  const t = useSubscriptionsText();
  const money = useMoney();
  const [typed, setTyped] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  const quantity = typed ?? String(seats ?? subscription.quantity);
  const planId = chosen ?? subscription.plan.id;
  const change = changeOf(subscription, quantity, planId);
  const [settled] = useDebouncedValue(change, PAUSE_MS, { leading: true });
  const plans = useQuery({ ...allPlans, enabled: isOpen });
  const preview = useQuery({
    queryKey: ['subscriptions', subscription.id, 'preview', settled],
    queryFn: () => api().subscriptions.preview(subscription.id, settled ?? {}),
    enabled: isOpen && settled !== undefined,
    placeholderData: (before) => before,
    staleTime: 0,
  });
  const update = useChange(subscription.id, authenticate);
  const leave = () => {
    setTyped(undefined);
    setChosen(undefined);
    close();
  };
  const due = change !== undefined && preview.isSuccess ? preview.data.amount_due : 0;
  return (
    <FormDialog
      title={t('change_title')}
      isOpen={isOpen}
      close={leave}
      submit={due > 0 ? t('pay', { amount: money(due, subscription.plan.currency) }) : t('change')}
      action={update}
      isIdle={change === undefined}
      explain={usePaymentFailure()}
      read={() => change ?? {}}
    >
      <Stack gap="sm">
        <NativeSelect
          label={t('plan')}
          value={planId}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={planChoices(subscription, plans.data ?? []).map(({ id, name, price, currency }) => ({
            value: id,
            label: `${name} – ${t('per_seat', { price: money(price, currency) })}`,
          }))}
        />
        <TextInput
          label={t('seats')}
          type="number"
          min={1}
          max={10_000}
          step={1}
          required
          value={quantity}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
        />
        <ChangePreviewPanel preview={change === undefined ? undefined : preview} />
      </Stack>
    </FormDialog>
  );
}

function useChange(id: string, authenticate: (clientSecret: string) => void) {
  const t = useSubscriptionsText();
  const { keyOf, ended } = useOrderKey();
  return useAction(
    async (change: UpdateSubscriptionBody) => {
      try {
        const updated = await api().subscriptions.update(id, change, { idempotencyKey: keyOf(change) });
        ended();
        return updated;
      } catch (error) {
        ended(error);
        throw error;
      }
    },
    {
      refreshes: CHANGED_BY_PAYMENTS,
      says: ({ pending_change: pending, requires_action: isNeeded }) =>
        t(isNeeded ? 'needs_authentication' : pending === null ? 'changed' : 'processing'),
      succeeds: ({ pending_change: pending, requires_action: isNeeded }) => {
        if (isNeeded && pending !== null && pending.client_secret !== null) {
          authenticate(pending.client_secret);
        }
      },
    },
  );
}
