import { Command } from '../../app/command.tsx';
import { EmptyState } from '../../ui/index.ts';
import { useMoneyText } from './messages.ts';
import { MoneyList } from './money-list.tsx';
import { PaymentsTable } from './payments-table.tsx';

const STATUSES = ['pending', 'requires_action', 'processing', 'succeeded', 'declined', 'canceled', 'orphaned'] as const;

/** The payments of all customers. */
export function PaymentsScreen() {
  const t = useMoneyText();
  return (
    <MoneyList
      title={t('payments')}
      about={t('payments_about')}
      icon="card"
      search={{ name: 'provider_ref', label: t('provider_ref') }}
      statuses={STATUSES.map((value) => ({ value, label: t(`pay_${value}`) }))}
      table={(query, empty) => <PaymentsTable query={query} empty={empty} />}
      empty={
        <EmptyState icon="card" title={t('payments_empty')} text={t('payments_empty_text')}>
          <Command text="seathold payments reconcile" label={t('payments')} />
        </EmptyState>
      }
    />
  );
}
