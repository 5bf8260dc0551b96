import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import type { SandboxClock } from '@seathold/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { api, noteClockOffset, sandboxClock } from '../api/index.ts';
import { Dialog, FactList, Loaded, Problem, useAction, useExactTime } from '../ui/index.ts';
import { DAY_SECONDS, secondsToNextMonth } from './clock-rules.ts';
import { HappenedList } from './happened-list.tsx';
import { useSandboxText } from './messages.ts';

/** A move returns when everything is done, which the service limits to four minutes. */
const LONGEST_MS = 250_000;
const WEEK_MS = 7 * DAY_SECONDS * 1000;

/** Shows the clock, moves it, and lists what happened. If `seconds` is more than 0, it is moved immediately. */
export function ClockDialog({ seconds, close }: { seconds: number; close: () => void }) {
  const t = useSandboxText();
  const cache = useQueryClient();
  const query = useQuery(sandboxClock);
  const advance = useAction((by: number) => api().sandbox.advanceClock({ seconds: by }, { timeoutMs: LONGEST_MS }), {
    succeeds: ({ now, offset_seconds: offset }) => {
      noteClockOffset(offset);
      cache.setQueryData(sandboxClock.queryKey, { now, offset_seconds: offset });
      // Everything with a time may have changed.
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'sandbox-clock' });
    },
  });
  const { mutate } = advance;
  const hasBegun = useRef(false);
  useEffect(() => {
    if (seconds > 0 && !hasBegun.current) {
      hasBegun.current = true;
      mutate(seconds);
    }
  }, [seconds, mutate]);
  return (
    <Dialog opened onClose={close} title={t('clock')} size="lg" closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap="md">
        <Loaded query={query} height={190}>
          {(clock) => <Moves clock={clock} isPending={advance.isPending} move={mutate} />}
        </Loaded>
        <div aria-live="polite">
          {advance.isPending && (
            <Group gap="sm" wrap="nowrap">
              <Loader size="sm" />
              <Text size="sm">{t('advancing')}</Text>
            </Group>
          )}
          {advance.isError && <Problem error={advance.error} />}
          {advance.isSuccess && <HappenedList advanced={advance.data} close={close} />}
        </div>
      </Stack>
    </Dialog>
  );
}

function Moves(props: { clock: SandboxClock; isPending: boolean; move: (seconds: number) => void }) {
  const { clock, isPending, move } = props;
  const t = useSandboxText();
  const exact = useExactTime();
  const nowMs = Date.parse(clock.now);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const until = new Date(String(new FormData(event.currentTarget).get('until'))).getTime();
    move(Math.max(1, Math.round((until - nowMs) / 1000)));
  };
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('about')}
      </Text>
      <FactList
        facts={[
          [t('now'), exact(clock.now)],
          [t('ahead'), t('ahead_days', { count: Math.round(clock.offset_seconds / DAY_SECONDS) })],
        ]}
      />
      <form onSubmit={send} className="clock-acts">
        <Button variant="default" disabled={isPending} onClick={() => move(DAY_SECONDS)}>
          {t('plus_day')}
        </Button>
        <Button variant="default" disabled={isPending} onClick={() => move(secondsToNextMonth(nowMs))}>
          {t('plus_month')}
        </Button>
        <TextInput
          key={clock.now}
          className="clock-until"
          type="datetime-local"
          label={t('until')}
          name="until"
          min={localTime(nowMs)}
          defaultValue={localTime(nowMs + WEEK_MS)}
          required
        />
        <Button type="submit" disabled={isPending}>
          {t('advance')}
        </Button>
      </form>
    </Stack>
  );
}

/** The value of a time field: in the reader's zone, without a zone designator. */
function localTime(atMs: number): string {
  const zoneMs = new Date(atMs).getTimezoneOffset() * 60_000;
  return new Date(atMs - zoneMs).toISOString().slice(0, 16);
}
