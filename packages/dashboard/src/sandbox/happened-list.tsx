import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { SandboxClockAdvanced } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import { type Column, Table, useExactTime, useNumber } from '../ui/index.ts';
import { screenOfResource } from './clock-rules.ts';
import { useSandboxText } from './messages.ts';

type Happened = SandboxClockAdvanced['happened'][number];

/** The list is limited to this many lines; the events have their own screen. */
const SHOWN = 100;

/** What happened while the clock moved, in order. */
export function HappenedList({ advanced, close }: { advanced: SandboxClockAdvanced; close: () => void }) {
  const t = useSandboxText();
  const exact = useExactTime();
  const columns = useColumns(close);
  const number = useNumber();
  const { happened, count, now } = advanced;
  if (count === 0) {
    return <Text size="sm">{t('nothing', { time: exact(now) })}</Text>;
  }
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('happened')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('happened_count', { count })} {count > SHOWN && t('happened_more', { count: number(SHOWN) })}
      </Text>
      <div className="card">
        <Table label={t('happened')} columns={columns} items={happened.slice(0, SHOWN)} keyOf={({ id }) => id} />
      </div>
    </Stack>
  );
}

function useColumns(close: () => void): ReadonlyArray<Column<Happened>> {
  const t = useSandboxText();
  const exact = useExactTime();
  return [
    { title: t('when'), show: ({ at }) => <time dateTime={at}>{exact(at)}</time> },
    {
      title: t('what'),
      isLead: true,
      show: (each) => <Target to={screenOfWhat(each)} text={each.type} close={close} />,
    },
    {
      title: t('resource'),
      show: ({ resource_id: id }) => <Target to={screenOfResource(id)} text={id ?? '–'} close={close} />,
    },
  ];
}

function screenOfWhat({ type, id, resource_id: resourceId }: Happened): string {
  return type === 'webhook.attempt' ? `/webhooks/${resourceId}/deliveries/${id}` : `/events/${id}`;
}

function Target({ to, text, close }: { to: string | undefined; text: string; close: () => void }) {
  return to === undefined ? (
    <code>{text}</code>
  ) : (
    <Anchor component={Link} to={to} size="sm" onClick={close}>
      <code>{text}</code>
    </Anchor>
  );
}
