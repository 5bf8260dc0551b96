import { Button, SegmentedControl, Stack } from '@mantine/core';
import type { Invoice } from '@seathold/client';
import { useState } from 'react';
import { api, useHasRole, useList } from '../api/index.ts';
import {
  ACTIONS,
  type Column,
  DataTable,
  EmptyState,
  Page,
  Problem,
  Status,
  Time,
  type Tone,
  useAction,
  useMoney,
} from '../ui/index.ts';
import { useInvoicesText } from './messages.ts';

const FILTERS = ['all', 'open', 'paid', 'void', 'uncollectible'] as const;

const TONES = {
  draft: 'idle',
  open: 'warning',
  paid: 'success',
  void: 'idle',
  uncollectible: 'danger',
} as const satisfies Record<Invoice['status'], Tone>;

/** The invoices of the organization, for the roles that may see them. */
export function InvoicesScreen() {
  const t = useInvoicesText();
  const maySee = useHasRole('billing');
  return (
    <Page title={t('title')} about={t('about')}>
      {maySee ? (
        <Invoices />
      ) : (
        <div className="card">
          <EmptyState icon="invoice" title={t('forbidden_title')} text={t('forbidden_text')} />
        </div>
      )}
    </Page>
  );
}

function Invoices() {
  const t = useInvoicesText();
  const [status, setStatus] = useState<(typeof FILTERS)[number]>('all');
  const download = useAction(saveInvoice);
  const columns = useColumns((invoice) => download.mutate(invoice));
  const list = useList(['invoices', status], (page) =>
    api().invoices.list(status === 'all' ? page : { ...page, status }),
  );
  return (
    <Stack gap="md">
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          size="xs"
          aria-label={t('status')}
          value={status}
          onChange={(value) => setStatus(FILTERS.find((each) => each === value) ?? 'all')}
          data={FILTERS.map((value) => ({ value, label: t(value) }))}
        />
      </div>
      {download.isError && <Problem error={download.error} />}
      <DataTable
        label={t('title')}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={<EmptyState icon="invoice" title={t('empty_title')} text={t('empty_text')} />}
      />
    </Stack>
  );
}

function useColumns(download: (invoice: Invoice) => void): ReadonlyArray<Column<Invoice>> {
  const t = useInvoicesText();
  const money = useMoney();
  return [
    { title: t('number'), show: ({ number }) => <span className="mono">{number ?? t('draft_number')}</span> },
    { title: t('status'), show: ({ status }) => <Status tone={TONES[status]}>{t(status)}</Status> },
    { title: t('total'), isNumber: true, show: ({ total, currency }) => money(total, currency) },
    { title: t('due'), isNumber: true, show: ({ amount_due: due, currency }) => money(due, currency) },
    { title: t('created'), show: ({ created_at: at }) => <Time at={at} isExact /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (invoice) =>
        invoice.number !== null && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('download_of', { number: invoice.number })}
            onClick={() => download(invoice)}
          >
            {t('download')}
          </Button>
        ),
    },
  ];
}

/** The API takes the session's cookie from scripts of this page alone, so the file is fetched and not linked. */
async function saveInvoice({ id, number }: Invoice): Promise<void> {
  const bytes = await api().invoices.getPdf(id);
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
  Object.assign(document.createElement('a'), { href: url, download: `${number ?? id}.pdf` }).click();
  URL.revokeObjectURL(url);
}
