import { Stack, Text } from '@mantine/core';
import type { OperatedOrganization } from '@seathold/client';
import { CopyId, FactList, Section, Time, useNumber } from '../../ui/index.ts';
import { CustomerStatus } from './customer-status.tsx';
import { useCustomersText } from './messages.ts';

const BILLING = ['legal_name', 'address', 'tax_id', 'email'] as const;

/** The details of a customer. */
export function CustomerFacts({ customer }: { customer: OperatedOrganization }) {
  const t = useCustomersText();
  const number = useNumber();
  const { billing_details: billing, metadata } = customer;
  return (
    <Section title={t('facts')}>
      <Stack gap="md">
        <FactList
          facts={[
            [t('status'), <CustomerStatus key="status" status={customer.status} />],
            ...(customer.status === 'suspended'
              ? ([
                  [t('suspended_at'), <Time key="suspended" at={customer.suspended_at} isExact />],
                  [t('suspension_reason'), customer.suspension_reason ?? '–'],
                ] as const)
              : []),
            [t('members'), number(customer.member_count)],
            [t('slug'), <CopyId key="slug" id={customer.slug} />],
            [
              t('external_id'),
              customer.external_id === null ? '–' : <CopyId key="external" id={customer.external_id} />,
            ],
            [t('created'), <Time key="created" at={customer.created_at} isExact />],
            ...BILLING.flatMap((name) => {
              const value = billing?.[name] ?? null;
              return value === null ? [] : [[t(name), value] as const];
            }),
            ...Object.entries(metadata ?? {}).map(([name, value]) => [name, value] as const),
          ]}
        />
        <div>
          <Text size="sm" c="dimmed">
            {t('notes')}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {customer.notes ?? t('no_notes')}
          </Text>
        </div>
      </Stack>
    </Section>
  );
}
