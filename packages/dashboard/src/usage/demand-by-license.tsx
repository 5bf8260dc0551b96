import { Anchor, Button, NativeSelect, Stack, Text } from '@mantine/core';
import type { License } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { DemandChart } from '../licenses/demand-chart.tsx';
import { demandOf } from '../licenses/demand-query.ts';
import { EmptyState, Loaded, Section } from '../ui/index.ts';
import { useUsageText } from './messages.ts';

/** The seats of a license day by day. */
export function DemandByLicense() {
  const t = useUsageText();
  const mayBuy = useMayManageBilling();
  const query = useQuery({
    queryKey: ['licenses', 'choices'],
    queryFn: async () => (await api().licenses.list({ limit: 100, sort: 'product' })).data,
  });
  return (
    <Section title={t('by_day')}>
      <Loaded query={query} height={320}>
        {(licenses) => {
          const [first] = licenses;
          return first === undefined ? (
            <EmptyState icon="usage" title={t('empty_title')} text={t('empty_text')}>
              {mayBuy && (
                <Button component={Link} to="/subscriptions/new">
                  {t('choose_plan')}
                </Button>
              )}
            </EmptyState>
          ) : (
            <Chosen licenses={licenses} first={first} />
          );
        }}
      </Loaded>
    </Section>
  );
}

function Chosen({ licenses, first }: { licenses: readonly License[]; first: License }) {
  const t = useUsageText();
  const [id, setId] = useState(first.id);
  const query = useQuery(demandOf(id, useFacts().environment));
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('by_day_text')}
      </Text>
      <NativeSelect
        label={t('license')}
        value={id}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
        maw={480}
        data={licenses.map((license) => ({
          value: license.id,
          label: `${license.product} – ${license.key.slice(0, 5)}…`,
        }))}
      />
      <Loaded query={query} height={210}>
        {({ points }) => <DemandChart points={points} />}
      </Loaded>
      <Anchor component={Link} to={`/licenses/${id}`} size="sm">
        {t('show_license')}
      </Anchor>
    </Stack>
  );
}
