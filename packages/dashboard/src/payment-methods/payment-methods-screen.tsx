import { Button, Group, Text } from '@mantine/core';
import type { PaymentMethod } from '@seathold/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { actingFor, api, useList } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { BillingOnly } from '../billing/billing-only.tsx';
import { CHANGED_BY_PAYMENTS } from '../billing/changed-by-payments.ts';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { usePaymentFailure } from '../billing/use-payment-failure.ts';
import {
  ACTIONS,
  type Column,
  ConfirmDialog,
  CopyId,
  DataTable,
  EmptyState,
  Page,
  Problem,
  Status,
  Time,
  useAction,
} from '../ui/index.ts';
import { AddCard } from './add-card.tsx';
import { cardExpiry, cardName } from './card-name.ts';
import { usePaymentMethodsText } from './messages.ts';

/** The cards that the organization pays with. */
export function PaymentMethodsScreen() {
  const t = usePaymentMethodsText();
  const navigate = useNavigate();
  const hasCardForm = useFacts().stripe_publishable_key !== null && actingFor === undefined;
  const [isAdding, setAdding] = useState(false);
  const add = () => (hasCardForm ? void navigate({ to: '/payment-methods/card' }) : setAdding(true));
  const mayManage = useMayManageBilling();
  return (
    <Page title={t('title')} about={t('about')} actions={mayManage && <Button onClick={add}>{t('add')}</Button>}>
      <BillingOnly icon="card">
        <PaymentMethods add={add} />
        <AddCard isOpen={isAdding} close={() => setAdding(false)} />
      </BillingOnly>
    </Page>
  );
}

function PaymentMethods({ add }: { add: () => void }) {
  const t = usePaymentMethodsText();
  const mayManage = useMayManageBilling();
  const [removing, setRemoving] = useState<PaymentMethod>();
  const explain = usePaymentFailure();
  const list = useList(['payment-methods'], (page) => api().paymentMethods.list(page));
  const makeDefault = useAction(
    (method: PaymentMethod) => api().paymentMethods.attach({ payment_method_id: method.id, set_default: true }),
    { refreshes: CHANGED_BY_PAYMENTS, says: (_, method) => t('is_default', { card: cardName(method) }) },
  );
  const remove = useAction((method: PaymentMethod) => api().paymentMethods.delete(method.id), {
    refreshes: CHANGED_BY_PAYMENTS,
    says: (_, method) => t('removed', { card: cardName(method) }),
  });
  const columns = useColumns((method) => makeDefault.mutate(method), setRemoving);
  return (
    <>
      {makeDefault.isError && <Problem error={makeDefault.error} text={explain(makeDefault.error)} />}
      <DataTable
        label={t('title')}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="card" title={t('empty_title')} text={t('empty_text')}>
            {mayManage && <Button onClick={add}>{t('add')}</Button>}
          </EmptyState>
        }
      />
      {removing !== undefined && (
        <ConfirmDialog
          title={t('remove_title', { card: cardName(removing) })}
          text={t(removing.is_default && list.items.length > 1 ? 'remove_default_text' : 'remove_text')}
          submit={t('remove')}
          isOpen
          close={() => setRemoving(undefined)}
          action={remove}
          input={removing}
          explain={explain}
        />
      )}
    </>
  );
}

function useColumns(
  makeDefault: (method: PaymentMethod) => void,
  remove: (method: PaymentMethod) => void,
): ReadonlyArray<Column<PaymentMethod>> {
  const t = usePaymentMethodsText();
  const mayManage = useMayManageBilling();
  return [
    {
      title: t('card'),
      show: (method) => (
        <Text size="sm" fw={500} style={{ whiteSpace: 'nowrap' }}>
          {cardName(method)}
        </Text>
      ),
    },
    { title: t('expires'), show: (method) => cardExpiry(method) },
    {
      title: t('use'),
      show: ({ is_default: isDefault }) => (isDefault ? <Status tone="success">{t('default')}</Status> : '–'),
    },
    { title: t('id'), show: ({ id }) => <CopyId id={id} /> },
    { title: t('added'), show: ({ created_at: at }) => <Time at={at} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (method) =>
        mayManage && (
          <Group gap={6} wrap="nowrap" justify="flex-end">
            {!method.is_default && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t('make_default_of', { card: cardName(method) })}
                onClick={() => makeDefault(method)}
              >
                {t('make_default')}
              </Button>
            )}
            <Button
              size="compact-xs"
              variant="default"
              aria-label={t('remove_of', { card: cardName(method) })}
              onClick={() => remove(method)}
            >
              {t('remove')}
            </Button>
          </Group>
        ),
    },
  ];
}
