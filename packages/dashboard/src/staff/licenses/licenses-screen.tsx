import { useState } from 'react';
import { EmptyState, Page, useFilters } from '../../ui/index.ts';
import { FilterForm, GuardedButton, useStaffText } from '../frame/index.ts';
import { IssueLicense } from './issue-license.tsx';
import { LicensesTable } from './licenses-table.tsx';
import { useStaffLicensesText } from './messages.ts';

const NAMES = ['organization_id', 'key', 'product', 'external_id', 'status'] as const;
const STATUSES = ['active', 'suspended', 'expired', 'revoked'] as const;

/** The licenses of all customers. */
export function StaffLicensesScreen() {
  const t = useStaffLicensesText();
  const common = useStaffText();
  const [filters, choose] = useFilters(NAMES);
  const [isIssuing, setIssuing] = useState(false);
  const { status: chosen, ...others } = filters;
  const status = STATUSES.find((each) => each === chosen);
  const issue = (
    <GuardedButton needs="support" onClick={() => setIssuing(true)}>
      {t('issue')}
    </GuardedButton>
  );
  return (
    <Page title={t('title')} about={t('about')} actions={issue}>
      <FilterForm
        fields={[
          { name: 'organization_id', label: t('organization_id') },
          { name: 'key', label: t('key') },
          { name: 'product', label: t('product') },
          { name: 'external_id', label: t('external_id') },
          { name: 'status', label: t('status'), values: STATUSES.map((value) => ({ value, label: t(value) })) },
        ]}
        filters={filters}
        choose={choose}
      />
      <LicensesTable
        query={{ ...others, ...(status === undefined ? {} : { status }) }}
        empty={
          Object.keys(filters).length > 0 ? (
            <EmptyState icon="license" title={common('none_title')} text={common('none_text')} />
          ) : (
            <EmptyState icon="license" title={t('empty_title')} text={t('empty_text')}>
              {issue}
            </EmptyState>
          )
        }
      />
      {isIssuing && <IssueLicense organizationId={filters.organization_id ?? ''} close={() => setIssuing(false)} />}
    </Page>
  );
}
