import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { SandboxClockAdvanced } from '@seathold/client';
import { Link } from '@tanstack/react-router';
import { TableScroll, useExactTime, useNumber } from '../ui/index.ts';
import { screenOfResource } from './clock-rules.ts';
import { useSandboxText } from './messages.ts';

type Happened = SandboxClockAdvanced['happened'][number];

/** The list is limited to this many lines; the events have their own screen. */
const SHOWN = 100;

/** What happened while the clock moved, in order. */
export function HappenedList({ advanced, close }: { advanced: SandboxClockAdvanced; close: () => void }) {
  const t = useSandboxText();
  const exact = useExactTime();
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
        <TableScroll label={t('happened')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('when')}</th>
                <th scope="col">{t('what')}</th>
                <th scope="col">{t('resource')}</th>
              </tr>
            </thead>
            <tbody>
              {happened.slice(0, SHOWN).map((each) => (
                <tr key={each.id}>
                  <td>
                    <time dateTime={each.at}>{exact(each.at)}</time>
                  </td>
                  <td>
                    <Target to={screenOfWhat(each)} text={each.type} close={close} />
                  </td>
                  <td>
                    <Target to={screenOfResource(each.resource_id)} text={each.resource_id ?? '–'} close={close} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      </div>
    </Stack>
  );
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
