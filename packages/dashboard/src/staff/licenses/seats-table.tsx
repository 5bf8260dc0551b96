import type { LicenseSeat, OperatorLicense } from '@seathold/client';
import { useState } from 'react';
import { personalApi, useList } from '../../api/index.ts';
import { ACTIONS, type Column, ConfirmDialog, CopyId, DataTable, EmptyState, Time, useAction } from '../../ui/index.ts';
import { GuardedButton, LinkedId, WithDetail } from '../frame/index.ts';
import { useStaffLicensesText } from './messages.ts';

type TakenSeat = LicenseSeat & { session: NonNullable<LicenseSeat['session']> };

/** Who holds the seats of a license. */
export function SeatsTable({ license }: { license: OperatorLicense }) {
  const t = useStaffLicensesText();
  const [freeing, setFreeing] = useState<TakenSeat>();
  const { id, organization_id: organizationId } = license;
  const list = useList(
    ['staff', 'licenses', 'one', id, 'seats'],
    (page, signal) => personalApi().licenses.listSeats(id, page, { signal, organizationId }),
    { refetchInterval: 5_000, limit: 100 },
  );
  const taken = list.items.filter((seat): seat is TakenSeat => seat.session !== null);
  const release = useAction(
    (sessionId: string) => personalApi().licenses.release({ session_id: sessionId }, { organizationId }),
    { says: t('released'), refreshes: [['staff', 'licenses']] },
  );
  return (
    <>
      <DataTable
        label={t('seats')}
        columns={useColumns(setFreeing)}
        list={{ ...list, items: taken }}
        keyOf={({ slot }) => String(slot)}
        empty={<EmptyState icon="license" title={t('seats_empty')} text={t('seats_empty_text')} />}
      />
      <ConfirmDialog
        title={t('release_title', { slot: freeing?.slot ?? 0 })}
        text={t('release_text')}
        submit={t('release')}
        isOpen={freeing !== undefined}
        close={() => setFreeing(undefined)}
        action={release}
        input={freeing?.session.id ?? ''}
      />
    </>
  );
}

function useColumns(free: (seat: TakenSeat) => void): ReadonlyArray<Column<TakenSeat>> {
  const t = useStaffLicensesText();
  return [
    { title: t('seat'), show: ({ slot }) => slot },
    {
      title: t('user'),
      isLead: true,
      show: ({ session: { user_id: id, activation_id: activation } }) =>
        id === null ? <code>{activation ?? '–'}</code> : <LinkedId id={id} to={`/staff/users/${id}`} />,
    },
    {
      title: t('machine'),
      show: ({ session: { hostname, hardware_id: id, client_version: version } }) => (
        <WithDetail detail={version}>
          <CopyId id={hostname ?? id} />
        </WithDetail>
      ),
    },
    { title: t('since'), show: ({ session }) => <Time at={session.started_at} /> },
    { title: t('heartbeat'), show: ({ session }) => <Time at={session.last_heartbeat} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (seat) => (
        <GuardedButton needs="support" size="compact-xs" variant="default" onClick={() => free(seat)}>
          {t('release')}
        </GuardedButton>
      ),
    },
  ];
}
