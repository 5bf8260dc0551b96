import { Stack, Tabs } from '@mantine/core';
import type { OperatorLicense } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { personalApi } from '../../api/index.ts';
import { LicenseStatus } from '../../licenses/license-status.tsx';
import { Code, CopyId, EmptyState, FactList, Loaded, Page, Section, Time, useNumber } from '../../ui/index.ts';
import { CustomerId } from '../frame/index.ts';
import { LicenseActions } from './license-actions.tsx';
import { useStaffLicensesText } from './messages.ts';
import { RefusalsTable } from './refusals-table.tsx';
import { SeatsTable } from './seats-table.tsx';

/** One license of a customer, and what staff can do with it. */
export function StaffLicenseScreen() {
  const t = useStaffLicensesText();
  const { licenseId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['staff', 'licenses', 'one', licenseId],
    queryFn: () => personalApi().operator.getLicense(licenseId),
  });
  return (
    <Page
      title={query.data?.product ?? t('license')}
      about={<CopyId id={licenseId} />}
      actions={query.data !== undefined && <LicenseActions license={query.data} />}
    >
      <Loaded query={query} height={480}>
        {(license) => <License license={license} />}
      </Loaded>
    </Page>
  );
}

function License({ license }: { license: OperatorLicense }) {
  const t = useStaffLicensesText();
  return (
    <Stack gap="lg">
      <LicenseFacts license={license} />
      <Tabs defaultValue="seats" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="seats">{t('seats')}</Tabs.Tab>
          <Tabs.Tab value="refusals">{t('refusals')}</Tabs.Tab>
          <Tabs.Tab value="terms">{t('terms')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="seats" pt="md">
          <SeatsTable license={license} />
        </Tabs.Panel>
        <Tabs.Panel value="refusals" pt="md">
          <RefusalsTable
            query={{ license_id: license.id, organization_id: license.organization_id }}
            empty={<EmptyState icon="check" title={t('refusals_empty')} text={t('refusals_empty_text')} />}
          />
        </Tabs.Panel>
        <Tabs.Panel value="terms" pt="md">
          <Terms license={license} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function LicenseFacts({ license }: { license: OperatorLicense }) {
  const t = useStaffLicensesText();
  const number = useNumber();
  const { subscription_id: subscriptionId, external_id: externalId, key_aliases: aliases } = license;
  return (
    <Section title={t('facts')}>
      <FactList
        facts={[
          [t('status'), <LicenseStatus key="status" status={license.status} />],
          [t('seats'), t('in_use', { used: number(license.active_seats), total: number(license.max_seats) })],
          [t('expires'), <Time key="expires" at={license.expires_at} isExact />],
          [t('key'), <CopyId key="key" id={license.key} />],
          [t('customer'), <CustomerId key="customer" id={license.organization_id} />],
          [t('source'), subscriptionId === null ? t('issued') : <CopyId key="subscription" id={subscriptionId} />],
          [t('created'), <Time key="created" at={license.created_at} isExact />],
          ...(externalId === null ? [] : ([[t('external_id'), <CopyId key="external" id={externalId} />]] as const)),
          ...(aliases.length === 0 ? [] : ([[t('aliases'), aliases.join(', ')]] as const)),
        ]}
      />
    </Section>
  );
}

/** In the API's form, as seen by a program of the vendor. */
function Terms({ license }: { license: OperatorLicense }) {
  const t = useStaffLicensesText();
  const parts = [
    ['features', license.features],
    ['policy_effective', license.policy],
    ['policy', license.policy_overrides],
    ['metadata', license.metadata],
  ] as const;
  return (
    <Stack gap="md">
      {parts.map(([name, value]) => (
        <Section key={name} title={t(name)}>
          <Code text={JSON.stringify(value, undefined, 2)} label={t(name)} />
        </Section>
      ))}
    </Stack>
  );
}
