import { Stack } from '@mantine/core';
import { BillingOnly } from '../billing/billing-only.tsx';
import { CreditBalance } from '../credit-balance/credit-balance.tsx';
import { Page, StatusFilter, useStatus } from '../ui/index.ts';
import { InvoiceTable } from './invoice-table.tsx';
import { useInvoicesText } from './messages.ts';

const STATUSES = ['open', 'paid', 'void', 'uncollectible'] as const;

/** The invoices of the organization, for the roles that may see them. */
export function InvoicesScreen() {
  const t = useInvoicesText();
  const [status, choose] = useStatus(STATUSES);
  return (
    <Page title={t('title')} about={t('about')}>
      <BillingOnly icon="invoice">
        <Stack gap="md">
          <CreditBalance />
          <StatusFilter label={t('status')} statuses={STATUSES} chosen={status} choose={choose} nameOf={t} />
          <InvoiceTable {...(status === undefined ? {} : { status })} />
        </Stack>
      </BillingOnly>
    </Page>
  );
}
