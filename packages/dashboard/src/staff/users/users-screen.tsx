import type { OperatedUser } from '@seathold/client';
import { personalApi, useList } from '../../api/index.ts';
import { Code, type Column, DataTable, EmptyState, Page, Status, Time, useFilters } from '../../ui/index.ts';
import { FilterForm, NamedId, useStaffText, WithDetail } from '../frame/index.ts';
import { useUsersText } from './messages.ts';

const NAMES = ['query', 'is_locked'] as const;

/** Everyone who has an account. */
export function UsersScreen() {
  const t = useUsersText();
  const common = useStaffText();
  const [filters, choose] = useFilters(NAMES);
  const columns = useColumns();
  const { query, is_locked: isLocked } = filters;
  const list = useList(['staff', 'users', filters], (page, signal) =>
    personalApi().operator.listOperatedUsers(
      {
        ...page,
        ...(query === undefined ? {} : { query }),
        ...(isLocked === 'true' || isLocked === 'false' ? { is_locked: isLocked } : {}),
      },
      { signal },
    ),
  );
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title={t('title')} about={t('about')}>
      <FilterForm
        fields={[
          { name: 'query', label: t('query') },
          {
            name: 'is_locked',
            label: t('state'),
            values: [
              { value: 'true', label: t('locked') },
              { value: 'false', label: t('not_locked') },
            ],
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
        empty={
          isFiltered ? (
            <EmptyState icon="account" title={common('none_title')} text={common('none_text')} />
          ) : (
            <EmptyState icon="account" title={t('empty_title')} text={t('empty_text')}>
              <Code text={`${window.location.origin}/register`} label={t('empty_title')} />
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

function useColumns(): ReadonlyArray<Column<OperatedUser>> {
  const t = useUsersText();
  return [
    { title: t('name'), show: ({ id, name }) => <NamedId id={id} name={name} to={`/staff/users/${id}`} /> },
    { title: t('email'), show: ({ email }) => <div className="named">{email}</div> },
    {
      title: t('organizations'),
      show: ({ organizations: [first, ...others] }) =>
        first === undefined
          ? t('none')
          : [first.name, ...(others.length === 0 ? [] : [t('more', { count: others.length })])].join(', '),
    },
    {
      title: t('state'),
      show: ({ is_locked: isLocked, two_factor_enabled: hasTwoFactor }) => (
        <WithDetail detail={t(hasTwoFactor ? 'with_two_factor' : 'without_two_factor')}>
          <Status tone={isLocked ? 'danger' : 'success'}>{t(isLocked ? 'locked' : 'not_locked')}</Status>
        </WithDetail>
      ),
    },
    {
      title: t('last_login'),
      show: ({ last_login_at: at, created_at: created }) => (
        <WithDetail
          detail={
            <span className="line">
              {t('created_at')} <Time at={created} />
            </span>
          }
        >
          <Time at={at} />
        </WithDetail>
      ),
    },
  ];
}
