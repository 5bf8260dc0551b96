import { EmptyState, Page, useFilters } from '../../ui/index.ts';
import { FilterForm, useStaffText } from '../frame/index.ts';
import { useStaffLicensesText } from './messages.ts';
import { RefusalsTable } from './refusals-table.tsx';

const NAMES = ['organization_id', 'license_id', 'user_id', 'code'] as const;
const CODES = [
  'no_seats_available',
  'license_expired',
  'license_suspended',
  'license_revoked',
  'user_not_allowed',
  'offline_not_allowed',
] as const;

/** Who was refused a seat, at any customer. */
export function RefusalsScreen() {
  const t = useStaffLicensesText();
  const common = useStaffText();
  const [filters, choose] = useFilters(NAMES);
  const { code: chosen, ...others } = filters;
  const code = CODES.find((each) => each === chosen);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title={t('refusals')} about={t('refusals_about')}>
      <FilterForm
        fields={[
          { name: 'organization_id', label: t('organization_id') },
          { name: 'license_id', label: t('license_id') },
          { name: 'user_id', label: t('user_id') },
          { name: 'code', label: t('code'), values: CODES.map((value) => ({ value, label: value })) },
        ]}
        filters={filters}
        choose={choose}
      />
      <RefusalsTable
        query={{ ...others, ...(code === undefined ? {} : { code }) }}
        empty={
          <EmptyState
            icon="check"
            title={isFiltered ? common('none_title') : t('refusals_empty')}
            text={isFiltered ? common('none_text') : t('refusals_empty_text')}
          />
        }
      />
    </Page>
  );
}
