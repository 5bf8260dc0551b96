import { Button, Stack, Text } from '@mantine/core';
import type { LicenseDetail, LicenseSeat } from '@seathold/client';
import { useState } from 'react';
import { api, useCurrentUser, useHasRole, useWholeList } from '../api/index.ts';
import { usePolling } from '../live/live-state.ts';
import { curlFor } from '../request-code/format-curl.ts';
import {
  ACTIONS,
  Code,
  type Column,
  ConfirmDialog,
  DataTable,
  EmptyState,
  Section,
  Time,
  useAction,
  useNumber,
} from '../ui/index.ts';
import { useLicensesText } from './messages.ts';
import { SeatMap } from './seat-map.tsx';

type Session = NonNullable<LicenseSeat['session']>;
type TakenSeat = LicenseSeat & { session: Session };

/** Heartbeats have no events. */
const HEARTBEATS_MS = 60_000;

/** The seats and their holders, updated live. */
export function SeatsPanel({ license }: { license: LicenseDetail }) {
  const t = useLicensesText();
  const number = useNumber();
  const [freeing, setFreeing] = useState<TakenSeat>();
  const seats = useWholeList(['licenses', license.id, 'seats'], (page) => api().licenses.listSeats(license.id, page), {
    refetchInterval: usePolling(5_000, HEARTBEATS_MS),
    limit: 100,
  });
  const taken = seats.items.filter((seat): seat is TakenSeat => seat.session !== null);
  const columns = useColumns(setFreeing);
  const holder = useHolder();
  const release = useAction((sessionId: string) => api().licenses.release({ session_id: sessionId }), {
    says: t('released'),
    refreshes: [['licenses']],
  });
  return (
    <Stack gap="md">
      <Section>
        <Stack gap="sm">
          <Text size="sm" fw={500} role="status">
            {t('in_use', { used: number(license.active_seats), total: number(license.max_seats) })}
          </Text>
          <SeatMap seats={seats.items} total={license.max_seats} />
        </Stack>
      </Section>
      <DataTable
        label={t('seat_map')}
        columns={columns}
        list={{ ...seats, items: taken }}
        keyOf={({ slot }) => String(slot)}
        empty={
          <EmptyState icon="license" title={t('nobody')} text={t('nobody_text')}>
            <Code text={acquireCommand(license.key)} />
          </EmptyState>
        }
      />
      <ConfirmDialog
        title={t('release_title', { slot: freeing?.slot ?? 0 })}
        text={t('release_text', { holder: freeing === undefined ? '' : holder(freeing.session) })}
        submit={t('release')}
        isOpen={freeing !== undefined}
        close={() => setFreeing(undefined)}
        action={release}
        input={freeing?.session.id ?? ''}
      />
    </Stack>
  );
}

function useColumns(free: (seat: TakenSeat) => void): ReadonlyArray<Column<TakenSeat>> {
  const t = useLicensesText();
  const isAdmin = useHasRole('admin');
  const me = useCurrentUser();
  const holder = useHolder();
  return [
    { title: t('seat'), show: ({ slot }) => slot },
    { title: t('person'), isLead: true, show: ({ session }) => holder(session) },
    { title: t('machine'), show: ({ session }) => <span className="mono">{machineOf(session)}</span> },
    { title: t('version'), show: ({ session }) => session.client_version ?? '–' },
    { title: t('since'), show: ({ session }) => <Time at={session.started_at} /> },
    { title: t('heartbeat'), show: ({ session }) => <Time at={session.last_heartbeat} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (seat) =>
        (isAdmin || seat.session.user_id === me.id) && (
          <Button size="compact-xs" variant="default" onClick={() => free(seat)}>
            {t('release')}
          </Button>
        ),
    },
  ];
}

/** Only admins see the names of others. */
function useHolder(): (session: Session) => string {
  const t = useLicensesText();
  const me = useCurrentUser();
  return ({ user, user_id: userId, activation_id: activationId }) => {
    if (userId === null) {
      return activationId ?? '';
    }
    if (userId === me.id) {
      return me.name;
    }
    return user === null ? t('unknown_user') : (user?.name ?? userId);
  };
}

function machineOf({ hostname, hardware_id: hardwareId }: Session): string {
  return hostname ?? hardwareId;
}

function acquireCommand(key: string): string {
  const { origin } = window.location;
  return [
    `${curlFor(origin)} -X POST ${origin}/v1/licenses/acquire \\`,
    '  -H "Authorization: Bearer $SEATHOLD_TOKEN" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"license_key": "${key}", "hardware_id": "hw_0123456789abcdef0123456789abcdef"}'`,
  ].join('\n');
}
