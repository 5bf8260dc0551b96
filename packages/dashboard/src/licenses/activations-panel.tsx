import { Button } from '@mantine/core';
import type { LicenseActivation } from '@seathold/client';
import { useState } from 'react';
import { api, useHasRole, useList } from '../api/index.ts';
import { ACTIONS, type Column, ConfirmDialog, DataTable, EmptyState, Time, useAction } from '../ui/index.ts';
import { useLicensesText } from './messages.ts';

/** The machines that were activated with the license key, and how to revoke them. */
export function ActivationsPanel({ licenseId }: { licenseId: string }) {
  const t = useLicensesText();
  const [revoking, setRevoking] = useState<LicenseActivation>();
  const columns = useColumns(setRevoking);
  const list = useList(['licenses', licenseId, 'activations'], (page) =>
    api().licenses.listActivations(licenseId, page),
  );
  const revoke = useAction((id: string) => api().licenses.deleteActivation(licenseId, id), {
    refreshes: [['licenses']],
    says: t('activation_revoked'),
  });
  return (
    <>
      <DataTable
        label={t('activations')}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={<EmptyState icon="key" title={t('activations_empty')} text={t('activations_empty_text')} />}
      />
      <ConfirmDialog
        title={t('revoke_activation_title', { machine: revoking === undefined ? '' : machineOf(revoking) })}
        text={t('revoke_activation_text')}
        submit={t('revoke_activation')}
        isOpen={revoking !== undefined}
        close={() => setRevoking(undefined)}
        action={revoke}
        input={revoking?.id ?? ''}
      />
    </>
  );
}

function useColumns(revoke: (activation: LicenseActivation) => void): ReadonlyArray<Column<LicenseActivation>> {
  const t = useLicensesText();
  const isAdmin = useHasRole('admin');
  return [
    { title: t('machine'), show: (activation) => machineOf(activation) },
    { title: t('hardware_id'), show: ({ hardware_id: id }) => <code>{id}</code> },
    { title: t('first_activated'), show: ({ created_at: at }) => <Time at={at} /> },
    { title: t('last_activated'), show: ({ activated_at: at }) => <Time at={at} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (activation) =>
        isAdmin && (
          <Button size="compact-xs" variant="default" onClick={() => revoke(activation)}>
            {t('revoke_activation')}
          </Button>
        ),
    },
  ];
}

function machineOf({ name, id }: LicenseActivation): string {
  return name ?? id;
}
