import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState, Page } from '../../ui/index.ts';
import { FilterForm, startOfDay, useFilters, useStaffText } from '../frame/index.ts';
import { InvoicesTable } from './invoices-table.tsx';
import { useMoneyText } from './messages.ts';

const NAMES = ['number', 'organization_id', 'status', 'created_after', 'created_before'] as const;
const STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const;

/** The invoices of all customers. */
export function StaffInvoicesScreen() {
  const t = useMoneyText();
  const common = useStaffText();
  const [filters, choose] = useFilters(NAMES);
  const { status: chosen, created_after: after, created_before: before, ...others } = filters;
  const status = STATUSES.find((each) => each === chosen);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title={t('invoices')} about={t('invoices_about')}>
      <FilterForm
        fields={[
          { name: 'number', label: t('number') },
          { name: 'organization_id', label: t('organization_id') },
          {
            name: 'status',
            label: t('status'),
            values: STATUSES.map((value) => ({ value, label: t(`inv_${value}`) })),
          },
          { name: 'created_after', label: t('created_after'), type: 'date' },
          { name: 'created_before', label: t('created_before'), type: 'date' },
        ]}
        filters={filters}
        choose={choose}
      />
      <InvoicesTable
        query={{
          ...others,
          ...(status === undefined ? {} : { status }),
          ...(after === undefined ? {} : { created_after: startOfDay(after) }),
          ...(before === undefined ? {} : { created_before: startOfDay(before) }),
        }}
        empty={
          isFiltered ? (
            <EmptyState icon="invoice" title={common('none_title')} text={common('none_text')} />
          ) : (
            <EmptyState icon="invoice" title={t('invoices_empty')} text={t('invoices_empty_text')}>
              <Button component={Link} to="/staff/subscriptions" variant="default">
                {t('subscriptions')}
              </Button>
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
