import { Command } from '../../app/command.tsx';
import { EmptyState } from '../../ui/index.ts';
import { useMoneyText } from './messages.ts';
import { MoneyList } from './money-list.tsx';
import { SubscriptionsTable } from './subscriptions-table.tsx';

const STATUSES = ['incomplete', 'active', 'past_due', 'canceled', 'expired'] as const;

/** The subscriptions of all customers. */
export function StaffSubscriptionsScreen() {
  const t = useMoneyText();
  return (
    <MoneyList
      title={t('subscriptions')}
      about={t('subscriptions_about')}
      icon="subscription"
      statuses={STATUSES.map((value) => ({ value, label: t(`sub_${value}`) }))}
      table={(query, empty) => <SubscriptionsTable query={query} empty={empty} />}
      empty={
        <EmptyState icon="subscription" title={t('subscriptions_empty')} text={t('subscriptions_empty_text')}>
          <Command text="seathold catalog show" label={t('subscriptions')} />
        </EmptyState>
      }
    />
  );
}
