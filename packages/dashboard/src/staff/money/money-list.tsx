import type { ReactNode } from 'react';
import { EmptyState, type IconName, Page, useFilters } from '../../ui/index.ts';
import { FilterForm, startOfDay, useStaffText } from '../frame/index.ts';
import { useMoneyText } from './messages.ts';

const NAMES = ['number', 'provider_ref', 'organization_id', 'status', 'created_after', 'created_before'] as const;

/** The chosen filters, as API parameters. */
interface Chosen<State> {
  number?: string;
  provider_ref?: string;
  organization_id?: string;
  status?: State;
  created_after?: string;
  created_before?: string;
}

/** A list of subscriptions, invoices or payments, with filters for customer, status and time. */
export function MoneyList<State extends string>(props: {
  title: string;
  about: string;
  icon: IconName;
  /** The additional search field of this list. */
  search?: { name: 'number' | 'provider_ref'; label: string };
  statuses: ReadonlyArray<{ value: State; label: string }>;
  table: (query: Chosen<State>, empty: ReactNode) => ReactNode;
  /** The text of the empty list. */
  empty: ReactNode;
}) {
  const { title, about, icon, search, statuses, table, empty } = props;
  const t = useMoneyText();
  const common = useStaffText();
  const [filters, choose] = useFilters(NAMES);
  const { status: chosen, created_after: after, created_before: before, ...others } = filters;
  const status = statuses.find(({ value }) => value === chosen)?.value;
  const query = {
    ...others,
    ...(status === undefined ? {} : { status }),
    ...(after === undefined ? {} : { created_after: startOfDay(after) }),
    ...(before === undefined ? {} : { created_before: startOfDay(before) }),
  };
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title={title} about={about}>
      <FilterForm
        fields={[
          ...(search === undefined ? [] : [search]),
          { name: 'organization_id', label: t('organization_id') },
          { name: 'status', label: t('status'), values: statuses },
          { name: 'created_after', label: t('created_after'), type: 'date' },
          { name: 'created_before', label: t('created_before'), type: 'date' },
        ]}
        filters={filters}
        choose={choose}
      />
      {table(
        query,
        isFiltered ? <EmptyState icon={icon} title={common('none_title')} text={common('none_text')} /> : empty,
      )}
    </Page>
  );
}
