import type { ListedOrganization } from '@seathold/client';
import { type ReactNode, useState } from 'react';
import { personalApi, useList } from '../../api/index.ts';
import { type Column, DataTable, EmptyState, Page, Time, useFilters, useMoney, useNumber } from '../../ui/index.ts';
import { FilterForm, GuardedButton, NamedId, useStaffText } from '../frame/index.ts';
import { CreateCustomer } from './create-customer.tsx';
import { CustomerStatus } from './customer-status.tsx';
import { useCustomersText } from './messages.ts';

const NAMES = ['query', 'status', 'sort'] as const;

/** The organizations of the installation. */
export function CustomersScreen() {
  const t = useCustomersText();
  const [filters, choose] = useFilters(NAMES);
  const [isCreating, setCreating] = useState(false);
  const columns = useColumns();
  const list = useList(['staff', 'customers', filters], (page, signal) =>
    personalApi().operator.listOperatedOrganizations(
      {
        ...page,
        ...(filters.query === undefined ? {} : { query: filters.query }),
        ...(filters.status === 'active' || filters.status === 'suspended' ? { status: filters.status } : {}),
        ...(filters.sort === 'name' ? { sort: 'name' } : {}),
      },
      { signal },
    ),
  );
  const create = (
    <GuardedButton needs="support" onClick={() => setCreating(true)}>
      {t('create')}
    </GuardedButton>
  );
  return (
    <Page title={t('title')} about={t('about')} actions={create}>
      <FilterForm
        fields={[
          { name: 'query', label: t('query') },
          {
            name: 'status',
            label: t('status'),
            values: [
              { value: 'active', label: t('active') },
              { value: 'suspended', label: t('suspended') },
            ],
          },
          {
            name: 'sort',
            label: t('order'),
            values: [{ value: 'name', label: t('by_name') }],
            none: t('newest_first'),
          },
        ]}
        filters={filters}
        choose={choose}
      />
      <DataTable
        label={t('title')}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={<NoCustomers isFiltered={Object.keys(filters).length > 0}>{create}</NoCustomers>}
      />
      <CreateCustomer isOpen={isCreating} close={() => setCreating(false)} />
    </Page>
  );
}

function NoCustomers({ isFiltered, children }: { isFiltered: boolean; children: ReactNode }) {
  const t = useCustomersText();
  const common = useStaffText();
  return isFiltered ? (
    <EmptyState icon="members" title={common('none_title')} text={common('none_text')} />
  ) : (
    <EmptyState icon="members" title={t('empty_title')} text={t('empty_text')}>
      {children}
    </EmptyState>
  );
}

function useColumns(): ReadonlyArray<Column<ListedOrganization>> {
  const t = useCustomersText();
  const number = useNumber();
  const money = useMoney();
  return [
    {
      title: t('name'),
      show: ({ id, name }) => <NamedId id={id} name={name} to={`/staff/customers/${id}`} />,
    },
    { title: t('status'), show: ({ status }) => <CustomerStatus status={status} /> },
    { title: t('plan'), show: ({ plan_name: plan }) => plan ?? '–' },
    { title: t('seats'), isNumber: true, show: ({ seats }) => `${number(seats.used)} / ${number(seats.included)}` },
    { title: t('members'), isNumber: true, show: ({ member_count: count }) => number(count) },
    {
      title: t('balance'),
      isNumber: true,
      show: ({ balance, balance_currency: currency }) => (currency === null ? '–' : money(balance, currency)),
    },
    { title: t('last_active'), show: ({ last_active_at: at }) => <Time at={at} /> },
    { title: t('created'), show: ({ created_at: at }) => <Time at={at} /> },
  ];
}
