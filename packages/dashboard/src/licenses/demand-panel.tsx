import { Stack, Text } from '@mantine/core';
import type { LicenseDetail } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useFacts } from '../app/facts.ts';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { Loaded, Section } from '../ui/index.ts';
import { BuySeats } from './buy-seats.tsx';
import { DemandChart } from './demand-chart.tsx';
import { demandOf } from './demand-query.ts';
import { useLicensesText } from './messages.ts';

/** How many seats were in use and how many were missing, by day, and how to get more. */
export function DemandPanel({ license }: { license: LicenseDetail }) {
  const t = useLicensesText();
  const mayBuy = useMayManageBilling();
  const query = useQuery(demandOf(license.id, useFacts().environment));
  return (
    <Section>
      <Loaded query={query} height={250}>
        {({ points, suggested_seats: suggested }) => (
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {t('demand_text')}
            </Text>
            <DemandChart points={points} />
            <Text size="sm" fw={500}>
              {suggested === 0 ? t('no_demand') : t('suggested', { count: suggested })}
            </Text>
            {mayBuy && suggested > license.max_seats && (
              <BuySeats licenseId={license.id} missing={suggested - license.max_seats} />
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
