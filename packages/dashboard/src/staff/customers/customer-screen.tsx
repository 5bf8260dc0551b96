import { Stack, Tabs } from '@mantine/core';
import type { OperatedOrganization } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { personalApi } from '../../api/index.ts';
import { CopyId, EmptyState, Loaded, Page, useFilters } from '../../ui/index.ts';
import { LicensesTable } from '../licenses/licenses-table.tsx';
import { useStaffLicensesText } from '../licenses/messages.ts';
import { RefusalsTable } from '../licenses/refusals-table.tsx';
import { InvoicesTable } from '../money/invoices-table.tsx';
import { useMoneyText } from '../money/messages.ts';
import { PaymentsTable } from '../money/payments-table.tsx';
import { SubscriptionsTable } from '../money/subscriptions-table.tsx';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerFacts } from './customer-facts.tsx';
import { MembersTable } from './members-table.tsx';
import { useCustomersText } from './messages.ts';

/** One customer: their details, what they have, and the actions of staff. */
export function CustomerScreen() {
  const t = useCustomersText();
  const { organizationId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['staff', 'customers', organizationId],
    queryFn: () => personalApi().operator.getOperatedOrganization(organizationId),
  });
  return (
    <Page
      title={query.data?.name ?? t('customer')}
      about={<CopyId id={organizationId} />}
      actions={query.data !== undefined && <CustomerActions customer={query.data} />}
    >
      <Loaded query={query} height={480}>
        {(customer) => <Customer customer={customer} />}
      </Loaded>
    </Page>
  );
}

const TABS = ['tab'] as const;

function Customer({ customer }: { customer: OperatedOrganization }) {
  const t = useCustomersText();
  const money = useMoneyText();
  const licenses = useStaffLicensesText();
  const [{ tab }, choose] = useFilters(TABS);
  const query = { organization_id: customer.id };
  const tabs = [
    ['licenses', t('licenses'), <LicensesTable key="l" query={query} empty={<Nothing name={t('licenses')} />} />],
    ['members', t('members'), <MembersTable key="m" organizationId={customer.id} />],
    [
      'subscriptions',
      t('subscriptions'),
      <SubscriptionsTable key="s" query={query} empty={<Nothing name={t('subscriptions')} />} />,
    ],
    ['invoices', t('invoices'), <InvoicesTable key="i" query={query} empty={<Nothing name={t('invoices')} />} />],
    [
      'payments',
      money('payments'),
      <PaymentsTable key="p" query={query} empty={<Nothing name={money('payments')} />} />,
    ],
    [
      'refusals',
      t('refusals'),
      <RefusalsTable
        key="r"
        query={query}
        empty={<EmptyState icon="check" title={licenses('refusals_empty')} text={licenses('refusals_empty_text')} />}
      />,
    ],
  ] as const;
  return (
    <Stack gap="lg">
      <CustomerFacts customer={customer} />
      <Tabs
        value={tabs.find(([name]) => name === tab)?.[0] ?? 'licenses'}
        onChange={(name) => choose(name === null ? {} : { tab: name })}
        keepMounted={false}
      >
        <Tabs.List>
          {tabs.map(([name, title]) => (
            <Tabs.Tab key={name} value={name}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([name, , content]) => (
          <Tabs.Panel key={name} value={name} pt="md">
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

function Nothing({ name }: { name: string }) {
  const t = useMoneyText();
  return <EmptyState icon="circle" title={t('no_of_customer')} text={t('no_of_customer_text', { name })} />;
}
