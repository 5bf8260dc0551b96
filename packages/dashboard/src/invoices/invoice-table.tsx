import { Anchor, Button } from '@mantine/core';
import type { Invoice } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import { api, useList } from '../api/index.ts';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { ACTIONS, type Column, DataTable, EmptyState, Problem, Time, useAction, useMoney } from '../ui/index.ts';
import { balanceDue } from './balance-due.ts';
import { DownloadInvoice } from './download-invoice.tsx';
import { InvoiceStatus } from './invoice-status.tsx';
import { useInvoicesText } from './messages.ts';
import { saveInvoice } from './save-invoice.ts';

/** Invoices with their PDFs: all, those with a status, or those of a subscription. */
export function InvoiceTable({ status, subscriptionId }: { status?: Invoice['status']; subscriptionId?: string }) {
  const t = useInvoicesText();
  const mayBuy = useMayManageBilling();
  const download = useAction(saveInvoice);
  const columns = useColumns((invoice) => download.mutate(invoice));
  const filters = {
    ...(status === undefined ? {} : { status }),
    ...(subscriptionId === undefined ? {} : { subscription_id: subscriptionId }),
  };
  const list = useList(['invoices', filters], (page) => api().invoices.list({ ...page, ...filters }));
  return (
    <>
      {download.isError && <Problem error={download.error} />}
      <DataTable
        label={t('title')}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="invoice" title={t('empty_title')} text={t('empty_text')}>
            {mayBuy && status === undefined && subscriptionId === undefined && (
              <Button component={Link} to="/subscriptions/new">
                {t('choose_plan')}
              </Button>
            )}
          </EmptyState>
        }
      />
    </>
  );
}

function useColumns(download: (invoice: Invoice) => void): ReadonlyArray<Column<Invoice>> {
  const t = useInvoicesText();
  const money = useMoney();
  return [
    {
      title: t('number'),
      show: ({ id, number }) => (
        <Anchor component={Link} to={`/invoices/${id}`} size="sm" style={{ whiteSpace: 'nowrap' }}>
          {number ?? t('draft_number')}
        </Anchor>
      ),
    },
    { title: t('status'), show: ({ status }) => <InvoiceStatus status={status} /> },
    { title: t('total'), isNumber: true, show: ({ total, currency }) => money(total, currency) },
    { title: t('balance'), isNumber: true, show: (invoice) => money(balanceDue(invoice), invoice.currency) },
    { title: t('created'), show: ({ created_at: at }) => <Time at={at} isExact /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (invoice) => (
        <DownloadInvoice number={invoice.number} label={t('download')} download={() => download(invoice)} />
      ),
    },
  ];
}
