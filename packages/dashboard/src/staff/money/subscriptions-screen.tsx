import { Code, EmptyState, Page } from '../../ui/index.ts';
import { FilterForm, startOfDay, useFilters, useStaffText } from '../frame/index.ts';
import { useMoneyText } from './messages.ts';
import { SubscriptionsTable } from './subscriptions-table.tsx';

const NAMES = ['organization_id', 'status', 'created_after', 'created_before'] as const;
const STATUSES = ['incomplete', 'active', 'past_due', 'canceled', 'expired'] as const;

/** The subscriptions of all customers. */
export function StaffSubscriptionsScreen() {
  const t = useMoneyText();
  const common = useStaffText();
  const [filters, choose] = useFilters(NAMES);
  const { status: chosen, created_after: after, created_before: before, ...others } = filters;
  const status = STATUSES.find((each) => each === chosen);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title={t('subscriptions')} about={t('subscriptions_about')}>
      <FilterForm
        fields={[
          { name: 'organization_id', label: t('organization_id') },
          {
            name: 'status',
            label: t('status'),
            values: STATUSES.map((value) => ({ value, label: t(`sub_${value}`) })),
          },
          { name: 'created_after', label: t('created_after'), type: 'date' },
          { name: 'created_before', label: t('created_before'), type: 'date' },
        ]}
        filters={filters}
        choose={choose}
      />
      <SubscriptionsTable
        query={{
          ...others,
          ...(status === undefined ? {} : { status }),
          ...(after === undefined ? {} : { created_after: startOfDay(after) }),
          ...(before === undefined ? {} : { created_before: startOfDay(before) }),
        }}
        empty={
          isFiltered ? (
            <EmptyState icon="subscription" title={common('none_title')} text={common('none_text')} />
          ) : (
            <EmptyState icon="subscription" title={t('subscriptions_empty')} text={t('subscriptions_empty_text')}>
              <Code text="seathold catalog show" label={t('subscriptions')} />
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
