import { Anchor, Button, Stack } from '@mantine/core';
import type { Invoice } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, useHasRole } from '../api/index.ts';
import { BillingOnly } from '../billing/billing-only.tsx';
import { CopyId, FactList, Loaded, Notice, Page, Problem, Section, Time, useAction } from '../ui/index.ts';
import { InvoiceAmounts } from './invoice-amounts.tsx';
import { InvoiceStatus } from './invoice-status.tsx';
import { useInvoicesText } from './messages.ts';
import { saveInvoice } from './save-invoice.ts';

/** One invoice: its lines, and how it was paid. */
export function InvoiceScreen() {
  const t = useInvoicesText();
  const { invoiceId = '' } = useParams({ strict: false });
  const maySee = useHasRole('billing');
  const query = useQuery({
    queryKey: ['invoices', invoiceId],
    queryFn: () => api().invoices.get(invoiceId),
    enabled: maySee,
  });
  return (
    <Page title={query.data?.number ?? t('invoice')} about={<CopyId id={invoiceId} />}>
      <BillingOnly icon="invoice">
        <Loaded query={query} height={480}>
          {(invoice) => <Details invoice={invoice} />}
        </Loaded>
      </BillingOnly>
    </Page>
  );
}

function Details({ invoice }: { invoice: Invoice }) {
  const t = useInvoicesText();
  const download = useAction(saveInvoice);
  const toSubscription = `/subscriptions/${invoice.subscription_id}`;
  return (
    <Stack gap="lg">
      {invoice.status === 'open' && (
        <Notice tone="warning" title={t('open_title')} text={t('open_text')}>
          <Button component={Link} to={toSubscription} size="xs">
            {t('to_subscription')}
          </Button>
        </Notice>
      )}
      {download.isError && <Problem error={download.error} />}
      <Section
        title={t('invoice')}
        actions={
          invoice.number !== null && (
            <Button size="xs" variant="default" loading={download.isPending} onClick={() => download.mutate(invoice)}>
              {t('download')}
            </Button>
          )
        }
      >
        <FactList
          facts={[
            [t('status'), <InvoiceStatus key="status" status={invoice.status} />],
            [t('created'), <Time key="created" at={invoice.created_at} isExact />],
            [t('paid_at'), invoice.paid_at === null ? '–' : <Time key="paid" at={invoice.paid_at} isExact />],
            [
              t('subscription'),
              <Anchor key="subscription" component={Link} to={toSubscription} size="sm">
                {t('show_subscription')}
              </Anchor>,
            ],
            [t('period_start'), <Time key="start" at={invoice.period_start} isExact />],
            [t('period_end'), <Time key="end" at={invoice.period_end} isExact />],
          ]}
        />
      </Section>
      <Section title={t('amounts')}>
        <InvoiceAmounts invoice={invoice} />
      </Section>
    </Stack>
  );
}
