import { Text, Textarea } from '@mantine/core';
import type { Subscription } from '@seathold/client';
import { useState } from 'react';
import { api } from '../api/index.ts';
import { CHANGED_BY_PAYMENTS } from '../billing/changed-by-payments.ts';
import { useLanguage } from '../i18n/index.ts';
import { Choices, dateFormat, FormDialog, useAction } from '../ui/index.ts';
import { useSubscriptionsText } from './messages.ts';

type When = 'period_end' | 'now';

/** Asks when a subscription should end, and why. An unpaid one ends immediately either way. */
export function CancelDialog(props: { subscription: Subscription; isOpen: boolean; close: () => void }) {
  const { subscription, isOpen, close } = props;
  const t = useSubscriptionsText();
  const { id, status, cancel_at_period_end: isEnding, current_period_end: end } = subscription;
  const mayWait = status === 'active' && !isEnding;
  const [chosen, setChosen] = useState<When>('period_end');
  const when = mayWait ? chosen : 'now';
  const date = dateFormat(useLanguage(), { dateStyle: 'long' }).format(new Date(end));
  const cancel = useAction(
    (reason: string) =>
      api().subscriptions.cancel(id, {
        cancel_immediately: when === 'now',
        ...(reason === '' ? {} : { reason }),
      }),
    {
      refreshes: CHANGED_BY_PAYMENTS,
      says: ({ status: after }) => t(after === 'canceled' ? 'canceled_now' : 'canceled_later'),
    },
  );
  return (
    <FormDialog
      title={t('cancel_title')}
      isOpen={isOpen}
      close={close}
      submit={t(when === 'now' ? 'cancel_now' : 'cancel')}
      action={cancel}
      read={(form) => String(form.get('reason')).trim()}
      isDangerous
      dismiss={t('keep')}
    >
      {mayWait ? (
        <Choices
          legend={t('when')}
          name="when"
          value={chosen}
          choose={setChosen}
          options={[
            { value: 'period_end', title: t('at_period_end', { date }), text: t('at_period_end_text') },
            { value: 'now', title: t('immediately'), text: t('immediately_text') },
          ]}
        />
      ) : (
        <Text size="sm">{t(status === 'active' ? 'immediately_text' : 'unpaid_text')}</Text>
      )}
      <Textarea label={t('reason')} description={t('reason_hint')} name="reason" maxLength={1000} rows={3} />
    </FormDialog>
  );
}
