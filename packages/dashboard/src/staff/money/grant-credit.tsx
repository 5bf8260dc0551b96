import { Group, Text, TextInput } from '@mantine/core';
import type { CreateOperatorCreditBody } from '@seathold/client';
import { useState } from 'react';
import { personalApi } from '../../api/index.ts';
import { FormDialog, useAction, useMoney } from '../../ui/index.ts';
import { useStaffText } from '../frame/index.ts';
import { useMoneyText } from './messages.ts';
import { amountPattern, parseAmount } from './parse-amount.ts';

/** Grants a customer credit for their next invoices. */
export function GrantCredit(props: { customer: { id: string; name: string }; close: () => void }) {
  const { customer, close } = props;
  const t = useMoneyText();
  const common = useStaffText();
  const money = useMoney();
  const [currency, setCurrency] = useState('USD');
  const grant = useAction((body: CreateOperatorCreditBody) => personalApi().operator.createCredit(body), {
    refreshes: [['staff']],
    says: (credit) => t('credit_done', { balance: money(credit.credit_balance, credit.currency) }),
  });
  return (
    <FormDialog
      title={t('credit_title', { name: customer.name })}
      isOpen
      close={close}
      submit={t('credit')}
      action={grant}
      read={(form) => readCredit(form, customer.id)}
    >
      <Text size="sm">{t('credit_hint')}</Text>
      <Group gap="xs" align="flex-start" grow>
        <TextInput
          label={t('credit_amount')}
          name="amount"
          inputMode="decimal"
          pattern={amountPattern(currency)}
          placeholder="25.00"
          required
          data-autofocus
        />
        <TextInput
          label={t('credit_currency')}
          name="currency"
          pattern="[A-Za-z]{3}"
          value={currency}
          onChange={({ currentTarget }) => setCurrency(currentTarget.value.toUpperCase())}
          maxLength={3}
          required
        />
      </Group>
      <TextInput
        label={common('reason')}
        description={t('credit_reason_hint')}
        name="reason"
        maxLength={255}
        required
      />
    </FormDialog>
  );
}

function readCredit(form: FormData, organizationId: string): CreateOperatorCreditBody {
  const currency = String(form.get('currency')).trim().toLowerCase();
  return {
    organization_id: organizationId,
    amount: parseAmount(String(form.get('amount')), currency),
    currency,
    reason: String(form.get('reason')).trim(),
  };
}
