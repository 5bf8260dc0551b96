import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { BillingOnly } from '../billing/billing-only.tsx';
import { CreditBalance } from '../credit-balance/credit-balance.tsx';
import { Page } from '../ui/index.ts';
import { InvoiceTable } from './invoice-table.tsx';
import { useInvoicesText } from './messages.ts';

const FILTERS = ['all', 'open', 'paid', 'void', 'uncollectible'] as const;

/** The invoices of the organization, for the roles that may see them. */
export function InvoicesScreen() {
  const t = useInvoicesText();
  const [status, setStatus] = useState<(typeof FILTERS)[number]>('all');
  return (
    <Page title={t('title')} about={t('about')}>
      <BillingOnly icon="invoice">
        <Stack gap="md">
          <CreditBalance />
          <div style={{ overflowX: 'auto' }}>
            <SegmentedControl
              size="xs"
              aria-label={t('status')}
              value={status}
              onChange={(value) => setStatus(FILTERS.find((each) => each === value) ?? 'all')}
              data={FILTERS.map((value) => ({ value, label: t(value) }))}
            />
          </div>
          <InvoiceTable {...(status === 'all' ? {} : { status })} />
        </Stack>
      </BillingOnly>
    </Page>
  );
}
