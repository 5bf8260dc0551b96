import { NativeSelect, TextInput } from '@mantine/core';
import type { CreateOperatorTokenBody, OperatorToken } from '@seathold/client';
import { useState } from 'react';
import { personalApi, useList } from '../../api/index.ts';
import {
  ACTIONS,
  type Column,
  ConfirmDialog,
  CopyId,
  DataTable,
  EmptyState,
  FormDialog,
  Page,
  SecretDialog,
  Status,
  Time,
  useAction,
} from '../../ui/index.ts';
import { fromLocalInput, GuardedButton, useStaffText, WithDetail } from '../frame/index.ts';
import { useTeamText } from './messages.ts';
import { readRole, STAFF_ROLES } from './staff-roles.ts';

const REFRESHES = [['staff', 'tokens']] as const;

/** The tokens of the vendor's programs. */
export function TokensScreen() {
  const t = useTeamText();
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<OperatorToken>();
  const [secret, setSecret] = useState<string>();
  const list = useList(['staff', 'tokens'], (page, signal) => personalApi().operator.listTokens(page, { signal }));
  const revoke = useAction((id: string) => personalApi().operator.revokeToken(id), {
    refreshes: REFRESHES,
    says: t('was_revoked'),
  });
  const create = (
    <GuardedButton needs="owner" onClick={() => setCreating(true)}>
      {t('create')}
    </GuardedButton>
  );
  return (
    <Page title={t('tokens')} about={t('tokens_about')} actions={create}>
      <DataTable
        label={t('tokens')}
        columns={useColumns(setRevoking)}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="key" title={t('tokens_empty')} text={t('tokens_empty_text')}>
            {create}
          </EmptyState>
        }
      />
      <CreateToken isOpen={isCreating} close={() => setCreating(false)} show={setSecret} />
      {revoking !== undefined && (
        <ConfirmDialog
          title={t('revoke_title', { name: revoking.name })}
          text={t('revoke_text')}
          submit={t('revoke')}
          isOpen
          close={() => setRevoking(undefined)}
          action={revoke}
          input={revoking.id}
        />
      )}
      <SecretDialog title={t('created')} secret={secret} close={() => setSecret(undefined)} />
    </Page>
  );
}

function useColumns(revoke: (token: OperatorToken) => void): ReadonlyArray<Column<OperatorToken>> {
  const t = useTeamText();
  const common = useStaffText();
  return [
    {
      title: t('name'),
      show: ({ id, name }) => (
        <div className="named">
          <WithDetail detail={<CopyId id={id} />}>{name}</WithDetail>
        </div>
      ),
    },
    { title: t('token'), show: ({ prefix }) => <code>{prefix}…</code> },
    { title: t('role'), show: ({ role }) => common(role) },
    { title: t('status'), show: (token) => <TokenStatus token={token} /> },
    { title: t('last_used'), show: ({ last_used_at: at }) => <Time at={at} /> },
    { title: t('expires'), show: ({ expires_at: at }) => <Time at={at} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (token) =>
        token.status === 'active' && (
          <GuardedButton
            needs="owner"
            size="compact-xs"
            variant="default"
            aria-label={t('revoke_of', { name: token.name })}
            onClick={() => revoke(token)}
          >
            {t('revoke')}
          </GuardedButton>
        ),
    },
  ];
}

function TokenStatus({ token: { status, revoked_because: because } }: { token: OperatorToken }) {
  const t = useTeamText();
  if (because === 'leak') {
    return <Status tone="danger">{t('leaked')}</Status>;
  }
  return <Status tone={status === 'active' ? 'success' : 'idle'}>{t(status)}</Status>;
}

function CreateToken(props: { isOpen: boolean; close: () => void; show: (secret: string) => void }) {
  const { isOpen, close, show } = props;
  const t = useTeamText();
  const create = useAction((body: CreateOperatorTokenBody) => personalApi().operator.createToken(body), {
    refreshes: REFRESHES,
    succeeds: ({ token }) => show(token),
  });
  return (
    <FormDialog
      title={t('create')}
      isOpen={isOpen}
      close={close}
      submit={t('create')}
      action={create}
      read={(form) => ({
        name: String(form.get('name')).trim(),
        role: readRole(form.get('role')),
        expires_at: fromLocalInput(String(form.get('expires_at'))),
      })}
    >
      <TextInput label={t('name')} name="name" maxLength={100} required data-autofocus />
      <NativeSelect
        label={t('role')}
        name="role"
        data={STAFF_ROLES.map((value) => ({ value, label: t(`role_${value}`) }))}
      />
      <TextInput label={t('expires')} description={t('expires_hint')} name="expires_at" type="datetime-local" />
    </FormDialog>
  );
}
