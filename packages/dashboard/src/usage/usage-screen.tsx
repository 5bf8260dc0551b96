import { Stack } from '@mantine/core';
import type { UsageSummary } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { api, useHasRole } from '../api/index.ts';
import { BillingOnly } from '../billing/billing-only.tsx';
import { useLanguage } from '../i18n/index.ts';
import { dateFormat, Loaded, Page, Section } from '../ui/index.ts';
import { DemandByLicense } from './demand-by-license.tsx';
import { useUsageText } from './messages.ts';
import { MeterChart } from './meter-chart.tsx';
import { MeterTable } from './meter-table.tsx';
import { readMeters } from './meters.ts';

/** The organization's usage: its meters, and the demand for its licenses. */
export function UsageScreen() {
  const t = useUsageText();
  const maySee = useHasRole('billing');
  const query = useQuery({ queryKey: ['usage'], queryFn: () => api().usage.get(), enabled: maySee });
  return (
    <Page title={t('title')} about={t('about')}>
      <BillingOnly icon="usage">
        <Loaded query={query} height={420}>
          {(usage) => <Summary usage={usage} />}
        </Loaded>
        <DemandByLicense />
      </BillingOnly>
    </Page>
  );
}

function Summary({ usage }: { usage: UsageSummary }) {
  const t = useUsageText();
  const period = usePeriod(usage);
  const meters = readMeters(usage);
  return (
    <Section title={t('period', { period })}>
      <Stack gap="lg">
        <MeterChart meters={meters} />
        <MeterTable meters={meters} />
      </Stack>
    </Section>
  );
}

/** The days of the period. Its end is exclusive, so the last day is the one before. */
function usePeriod({ period_start: start, period_end: end }: UsageSummary): string {
  const format = dateFormat(useLanguage(), { dateStyle: 'medium' });
  return format.formatRange(new Date(start), new Date(Date.parse(end) - 1));
}
