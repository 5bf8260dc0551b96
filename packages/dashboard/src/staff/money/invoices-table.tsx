import { Stack } from '@mantine/core';
import type { OperatorInvoice } from '@seathold/client';
import type { ReactNode } from 'react';
import { personalApi, useList } from '../../api/index.ts';
import { DownloadInvoice } from '../../invoices/download-invoice.tsx';
import { InvoiceStatus } from '../../invoices/invoice-status.tsx';
import { ACTIONS, type Column, CopyId, DataTable, Problem, Time, useAction, useMoney } from '../../ui/index.ts';
import { saveFile } from '../../ui/save-file.ts';
import { CustomerId, WithDetail } from '../frame/index.ts';
import { useMoneyText } from './messages.ts';

type Query = NonNullable<Parameters<ReturnType<typeof personalApi>['operator']['listInvoices']>[0]>;

/** Invoices of one customer, or of all. */
export function InvoicesTable({ query, empty }: { query: Omit<Query, 'cursor' | 'limit'>; empty: ReactNode }) {
  const t = useMoneyText();
  const download = useAction(savePdf);
  const columns = useColumns(query.organization_id !== undefined, (invoice) => download.mutate(invoice));
  const list = useList(['staff', 'invoices', query], (page, signal) =>
    personalApi().operator.listInvoices({ ...query, ...page }, { signal }),
  );
  return (
    <Stack gap="md">
      {download.isError && <Problem error={download.error} />}
      <DataTable label={t('invoices')} columns={columns} list={list} keyOf={({ id }) => id} empty={empty} />
    </Stack>
  );
}

async function savePdf({ id, number, organization_id: organizationId }: OperatorInvoice): Promise<void> {
  const bytes = await personalApi().invoices.getPdf(id, { organizationId });
  saveFile(bytes, 'application/pdf', `${number ?? id}.pdf`);
}

function useColumns(
  isOfCustomer: boolean,
  download: (invoice: OperatorInvoice) => void,
): ReadonlyArray<Column<OperatorInvoice>> {
  const t = useMoneyText();
  const money = useMoney();
  return [
    {
      title: t('number'),
      show: ({ number, id }) => <CopyId id={number ?? id} />,
    },
    ...(isOfCustomer
      ? []
      : [
          {
            title: t('buyer'),
            show: ({ buyer_name: name, organization_id: id }: OperatorInvoice) => (
              <div className="named">
                <WithDetail detail={<CustomerId id={id} />}>{name}</WithDetail>
              </div>
            ),
          },
        ]),
    { title: t('status'), show: ({ status }) => <InvoiceStatus status={status} /> },
    {
      title: t('total'),
      isNumber: true,
      show: ({ total, amount_paid: paid, currency }) => (
        <WithDetail detail={paid > 0 && t('amount_paid', { amount: money(paid, currency) })}>
          {money(total, currency)}
        </WithDetail>
      ),
    },
    { title: t('due'), isNumber: true, show: ({ amount_due: due, currency }) => money(due, currency) },
    { title: t('created'), show: ({ created_at: at }) => <Time at={at} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (invoice) => (
        <DownloadInvoice number={invoice.number} label={t('pdf')} download={() => download(invoice)} />
      ),
    },
  ];
}
