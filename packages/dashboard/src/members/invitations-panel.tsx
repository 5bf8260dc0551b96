import { Button } from '@mantine/core';
import type { Invitation } from '@seathold/client';
import { useState } from 'react';
import { api, useList } from '../api/index.ts';
import { ACTIONS, ConfirmDialog, DataTable, EmptyState, Status, Time, useAction } from '../ui/index.ts';
import { useMembersText } from './messages.ts';

const TONES = { pending: 'warning', accepted: 'success', expired: 'idle', revoked: 'idle' } as const;

/** The invitations and their status. */
export function InvitationsPanel({ organizationId }: { organizationId: string }) {
  const t = useMembersText();
  const [revoking, setRevoking] = useState<Invitation>();
  const list = useList(['invitations'], (page) => api().organizations.listInvitations(organizationId, page));
  const revoke = useAction((id: string) => api().organizations.revokeInvitation(organizationId, id), {
    refreshes: [['invitations']],
  });
  return (
    <>
      <DataTable
        label={t('invitations')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: t('email'), show: ({ email }) => email },
          { title: t('role'), show: ({ role }) => t(role) },
          { title: t('status'), show: ({ status }) => <Status tone={TONES[status]}>{t(status)}</Status> },
          { title: t('expires'), show: ({ expires_at: at }) => <Time at={at} /> },
          {
            title: ACTIONS,
            isNumber: true,
            show: (invitation) =>
              invitation.status === 'pending' && (
                <Button size="compact-xs" variant="default" onClick={() => setRevoking(invitation)}>
                  {t('revoke')}
                </Button>
              ),
          },
        ]}
        empty={<EmptyState icon="members" title={t('no_invitations')} text={t('no_invitations_text')} />}
      />
      <ConfirmDialog
        title={t('revoke_title', { name: revoking?.email ?? '' })}
        text={t('revoke_text')}
        submit={t('revoke')}
        isOpen={revoking !== undefined}
        close={() => setRevoking(undefined)}
        action={revoke}
        input={revoking?.id ?? ''}
      />
    </>
  );
}
