import { Anchor, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { Overview } from '@seathold/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { personalApi } from '../../api/index.ts';
import '../../overview/quick-start.css';
import { useLanguage } from '../../i18n/index.ts';
import { dateFormat, Page, Problem, useMoney, useNumber } from '../../ui/index.ts';
import { describeMails } from './describe-mails.ts';
import { useStaffOverviewText } from './messages.ts';

const RANGES = [1, 7, 30] as const;
const DAY_MS = 86_400_000;

/** The totals of all customers, and the health of the service. */
export function StaffOverviewScreen() {
  const t = useStaffOverviewText();
  const [days, setDays] = useState<(typeof RANGES)[number]>(7);
  const query = useQuery({
    queryKey: ['staff', 'overview', days],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - days * DAY_MS).toISOString();
      return personalApi().operator.getOverview({ from }, { signal });
    },
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label={t('range')}
      value={String(days)}
      onChange={(value) => setDays(RANGES.find((each) => String(each) === value) ?? 7)}
      data={RANGES.map((value) => ({ value: String(value), label: t(`days_${value}`) }))}
    />
  );
  return (
    <Page title={t('title')} about={t('about')} actions={choice}>
      {query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Figures overview={query.data} />
      )}
    </Page>
  );
}

/** All figures, or placeholders while they load. */
function Figures({ overview }: { overview: Overview | undefined }) {
  return (
    <Stack gap="lg">
      <Money overview={overview} />
      <Use overview={overview} />
      <Operation overview={overview} />
      {overview !== undefined && <RangeNote overview={overview} />}
    </Stack>
  );
}

function Money({ overview }: { overview: Overview | undefined }) {
  const t = useStaffOverviewText();
  const number = useNumber();
  const money = useMoney();
  return (
    <Part title={t('money')}>
      <Figure
        title={t('mrr')}
        value={overview?.mrr.map(({ amount, currency }) => money(amount, currency))}
        none={t('no_mrr')}
        note={t('mrr_note')}
      />
      <Figure
        title={t('subscriptions')}
        value={overview && [number(overview.active_subscriptions)]}
        note={overview && t('changes', { added: number(overview.new), churned: number(overview.churned) })}
        to="/staff/subscriptions?status=active"
      />
      <Figure
        title={t('past_due')}
        value={overview && [number(overview.past_due)]}
        isBad={overview !== undefined && overview.past_due > 0}
        to="/staff/subscriptions?status=past_due"
      />
      <Figure title={t('trials')} value={overview && [number(overview.trials)]} />
    </Part>
  );
}

function Use({ overview }: { overview: Overview | undefined }) {
  const t = useStaffOverviewText();
  const number = useNumber();
  const seats = overview?.seats;
  return (
    <Part title={t('use')}>
      <Figure
        title={t('seats')}
        value={seats && [number(seats.used)]}
        note={seats && `${t('of_sold', { count: number(seats.sold) })} · ${t('peak', { count: number(seats.peak) })}`}
      />
      <Figure
        title={t('refusals')}
        value={overview && [number(overview.refusals)]}
        note={t('see_refusals')}
        to="/staff/refusals"
      />
    </Part>
  );
}

function Operation({ overview }: { overview: Overview | undefined }) {
  const t = useStaffOverviewText();
  const number = useNumber();
  const failed = overview?.deliveries.failed ?? 0;
  const late = overview?.jobs_late ?? 0;
  return (
    <Part title={t('operation')}>
      <Figure
        title={t('deliveries')}
        value={overview && [number(overview.deliveries.succeeded)]}
        note={overview && t('failed', { count: number(failed) })}
        isBad={failed > 0}
      />
      <Figure
        title={t('mails')}
        value={overview && [describeMails(overview.mails_waiting, number)]}
        note={t('mails_note')}
      />
      <Figure
        title={t('jobs')}
        value={overview && [number(late)]}
        note={overview && (late === 0 ? t('jobs_none') : overview.late_jobs.join(', '))}
        isBad={late > 0}
      />
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      <div className="figures">{children}</div>
    </Stack>
  );
}

function Figure(props: {
  title: string;
  /** The value, one line per currency; undefined while it loads. */
  value: readonly string[] | undefined;
  none?: string;
  note?: string | undefined;
  isBad?: boolean;
  to?: string;
}) {
  const { title, value, none = '', note, isBad = false, to } = props;
  return (
    <div className="card figure">
      <Text size="sm" c="dimmed">
        {to === undefined ? (
          title
        ) : (
          <Anchor component={Link} to={to} size="sm">
            {title}
          </Anchor>
        )}
      </Text>
      {value === undefined ? (
        <Skeleton height={34} width={96} />
      ) : (
        (value.length === 0 ? [none] : value).map((line) => (
          <strong key={line} style={isBad ? { color: 'var(--danger)' } : undefined}>
            {line}
          </strong>
        ))
      )}
      <Text size="xs" c="dimmed" mih={18}>
        {note}
      </Text>
    </div>
  );
}

function RangeNote({ overview: { from, to } }: { overview: Overview }) {
  const t = useStaffOverviewText();
  const format = dateFormat(useLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Group>
      <Text size="xs" c="dimmed">
        {t('range_note', { from: format.format(new Date(from)), to: format.format(new Date(to)) })}
      </Text>
    </Group>
  );
}
