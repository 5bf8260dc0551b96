import { Code, EmptyState, Page } from '../../ui/index.ts';
import { FilterForm, startOfDay, useFilters, useStaffText } from '../frame/index.ts';
import { useMoneyText } from './messages.ts';
import { PaymentsTable } from './payments-table.tsx';

const NAMES = ['provider_ref', 'organization_id', 'status', 'created_after', 'created_before'] as const;
const STATUSES = ['pending', 'requires_action', 'processing', 'succeeded', 'declined', 'canceled', 'orphaned'] as const;

/** The payments of all customers. */
export function PaymentsScreen() {
  const t = useMoneyText();
  const common = useStaffText();
  const [filters, choose] = useFilters(NAMES);
  const { status: chosen, created_after: after, created_before: before, ...others } = filters;
  const status = STATUSES.find((each) => each === chosen);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title={t('payments')} about={t('payments_about')}>
      <FilterForm
        fields={[
          { name: 'provider_ref', label: t('provider_ref') },
          { name: 'organization_id', label: t('organization_id') },
          {
            name: 'status',
            label: t('status'),
            values: STATUSES.map((value) => ({ value, label: t(`pay_${value}`) })),
          },
          { name: 'created_after', label: t('created_after'), type: 'date' },
          { name: 'created_before', label: t('created_before'), type: 'date' },
        ]}
        filters={filters}
        choose={choose}
      />
      <PaymentsTable
        query={{
          ...others,
          ...(status === undefined ? {} : { status }),
          ...(after === undefined ? {} : { created_after: startOfDay(after) }),
          ...(before === undefined ? {} : { created_before: startOfDay(before) }),
        }}
        empty={
          isFiltered ? (
            <EmptyState icon="card" title={common('none_title')} text={common('none_text')} />
          ) : (
            <EmptyState icon="card" title={t('payments_empty')} text={t('payments_empty_text')}>
              <Code text="seathold payments reconcile" label={t('payments')} />
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
