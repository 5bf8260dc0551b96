import { Stack, Tabs } from '@mantine/core';
import type { LicenseDetail } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, useHasRole } from '../api/index.ts';
import { usePolling } from '../live/live-state.ts';
import { CopyId, FactList, Loaded, Page, Section, Time, useFilters, useNumber } from '../ui/index.ts';
import { ActivationsPanel } from './activations-panel.tsx';
import { DemandPanel } from './demand-panel.tsx';
import { LicenseStatus } from './license-status.tsx';
import { useLicensesText } from './messages.ts';
import { RefusalsPanel } from './refusals-panel.tsx';
import { SeatsPanel } from './seats-panel.tsx';

/** Heartbeats have no events. */
const HEARTBEATS_MS = 60_000;

const TABS = ['seats', 'refusals', 'demand', 'activations', 'features'] as const;
const TABS_OF_ADMINS: ReadonlySet<string> = new Set(['refusals', 'demand']);

/** One license: its seat holders, refusals, and how many seats would be enough. */
export function LicenseScreen() {
  const t = useLicensesText();
  const { licenseId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['licenses', licenseId],
    queryFn: () => api().licenses.get(licenseId),
    refetchInterval: usePolling(5_000, HEARTBEATS_MS),
  });
  return (
    <Page title={query.data?.product ?? t('title')} about={<CopyId id={licenseId} />}>
      <Loaded query={query} height={480}>
        {(license) => <License license={license} />}
      </Loaded>
    </Page>
  );
}

function License({ license }: { license: LicenseDetail }) {
  const t = useLicensesText();
  const number = useNumber();
  const isAdmin = useHasRole('admin');
  const [asked, choose] = useFilters(['tab']);
  const tab = TABS.find((each) => each === asked.tab && (isAdmin || !TABS_OF_ADMINS.has(each))) ?? 'seats';
  return (
    <Stack gap="lg">
      <Section>
        <FactList
          facts={[
            [t('status'), <LicenseStatus key="status" status={license.status} />],
            [t('seats'), t('in_use', { used: number(license.active_seats), total: number(license.max_seats) })],
            [
              t('expires'),
              license.expires_at === null ? t('perpetual') : <Time key="expires" at={license.expires_at} isExact />,
            ],
            [t('created'), <Time key="created" at={license.created_at} isExact />],
            [t('key'), <CopyId key="key" id={license.key} />],
          ]}
        />
      </Section>
      <Tabs
        value={tab}
        onChange={(value) => choose({ tab: value === 'seats' ? '' : (value ?? '') })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="seats">{t('seat_map')}</Tabs.Tab>
          {isAdmin && <Tabs.Tab value="refusals">{t('refusals')}</Tabs.Tab>}
          {isAdmin && <Tabs.Tab value="demand">{t('demand')}</Tabs.Tab>}
          <Tabs.Tab value="activations">{t('activations')}</Tabs.Tab>
          <Tabs.Tab value="features">{t('features')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="seats" pt="md">
          <SeatsPanel license={license} />
        </Tabs.Panel>
        <Tabs.Panel value="refusals" pt="md">
          <RefusalsPanel licenseId={license.id} />
        </Tabs.Panel>
        <Tabs.Panel value="demand" pt="md">
          <DemandPanel license={license} />
        </Tabs.Panel>
        <Tabs.Panel value="activations" pt="md">
          <ActivationsPanel licenseId={license.id} />
        </Tabs.Panel>
        <Tabs.Panel value="features" pt="md">
          <Section>
            <FactList facts={Object.entries(license.features).map(([name, value]) => [name, describe(value)])} />
          </Section>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );

  function describe(value: boolean | number | string): string {
    return typeof value === 'boolean' ? t(value ? 'yes' : 'no') : String(value);
  }
}
