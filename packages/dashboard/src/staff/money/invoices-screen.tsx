import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../ui/index.ts';
import { InvoicesTable } from './invoices-table.tsx';
import { useMoneyText } from './messages.ts';
import { MoneyList } from './money-list.tsx';

const STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const;

/** The invoices of all customers. */
export function StaffInvoicesScreen() {
  const t = useMoneyText();
  return (
    <MoneyList
      title={t('invoices')}
      about={t('invoices_about')}
      icon="invoice"
      search={{ name: 'number', label: t('number') }}
      statuses={STATUSES.map((value) => ({ value, label: t(`inv_${value}`) }))}
      table={(query, empty) => <InvoicesTable query={query} empty={empty} />}
      empty={
        <EmptyState icon="invoice" title={t('invoices_empty')} text={t('invoices_empty_text')}>
          <Button component={Link} to="/staff/subscriptions" variant="default">
            {t('subscriptions')}
          </Button>
        </EmptyState>
      }
    />
  );
}
