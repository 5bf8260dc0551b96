import { Stack, Text } from '@mantine/core';
import type { LicenseDemand } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/index.ts';
import { useLanguage } from '../i18n/index.ts';
import { Loaded, Section } from '../ui/index.ts';
import { useLicensesText } from './messages.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;

/** How many seats were in use and how many were missing, by day. */
export function DemandPanel({ licenseId }: { licenseId: string }) {
  const query = useQuery({
    queryKey: ['licenses', licenseId, 'demand'],
    queryFn: () => {
      const now = Date.now();
      const from = new Date(now - DAYS * DAY_MS).toISOString();
      return api().licenses.getDemand(licenseId, { from, to: new Date(now).toISOString(), interval: 'day' });
    },
  });
  return (
    <Section>
      <Loaded query={query} height={220}>
        {(demand) => <Demand demand={demand} />}
      </Loaded>
    </Section>
  );
}

function Demand({ demand: { points, suggested_seats: suggested } }: { demand: LicenseDemand }) {
  const t = useLicensesText();
  const format = new Intl.DateTimeFormat(useLanguage(), { dateStyle: 'medium' });
  const highest = Math.max(1, ...points.map(({ peak, refused }) => peak + refused));
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('demand_text')}
      </Text>
      <div className="bars" aria-hidden="true">
        {points.map(({ at, peak, refused }) => (
          <div key={at} className="bar" title={t('demand_day', { day: format.format(new Date(at)), peak, refused })}>
            <span className="refused" style={{ height: `${(refused / highest) * 100}%` }} />
            <span style={{ height: `${(peak / highest) * 100}%` }} />
          </div>
        ))}
      </div>
      <div className="legend">
        <span>{t('peak')}</span>
        <span className="refused">{t('refused')}</span>
      </div>
      <Text size="sm" fw={500}>
        {t('suggested', { count: suggested })}
      </Text>
    </Stack>
  );
}
