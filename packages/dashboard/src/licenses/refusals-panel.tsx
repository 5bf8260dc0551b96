import { api, useList } from '../api/index.ts';
import { DataTable, EmptyState, Time, useNumber } from '../ui/index.ts';
import { useLicensesText } from './messages.ts';

/** Who was refused a seat, and why. */
export function RefusalsPanel({ licenseId }: { licenseId: string }) {
  const t = useLicensesText();
  const number = useNumber();
  const list = useList(['licenses', licenseId, 'refusals'], (page) => api().licenses.listRefusals(licenseId, page));
  return (
    <DataTable
      label={t('refusals')}
      columns={[
        { title: t('last_at'), show: ({ last_at: at }) => <Time at={at} /> },
        { title: t('code'), isLead: true, show: ({ code }) => <code>{code}</code> },
        { title: t('person'), show: ({ user_id: userId }) => <code>{userId}</code> },
        { title: t('machine'), show: ({ hardware_id: id }) => <code>{id}</code> },
        { title: t('count'), isNumber: true, show: ({ count }) => number(count) },
      ]}
      list={list}
      keyOf={({ id }) => id}
      empty={<EmptyState icon="check" title={t('refusals_empty')} text={t('refusals_empty_text')} />}
    />
  );
}
