import { NativeSelect, Text, TextInput } from '@mantine/core';
import type { AddStaffMemberBody, StaffMember } from '@seathold/client';
import { useState } from 'react';
import { includesStaffRole, personalApi, useList, useStaffRole } from '../../api/index.ts';
import { Command } from '../../app/command.tsx';
import {
  ACTIONS,
  type Column,
  ConfirmDialog,
  DataTable,
  EmptyState,
  FormDialog,
  Page,
  Status,
  Time,
  useAction,
} from '../../ui/index.ts';
import { GuardedButton, NamedId, useStaffText } from '../frame/index.ts';
import { useTeamText } from './messages.ts';
import { readRole, STAFF_ROLES } from './staff-roles.ts';

const REFRESHES = [['staff', 'team'], ['me']] as const;

/** The vendor's staff. */
export function StaffScreen() {
  const t = useTeamText();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<StaffMember>();
  const list = useList(['staff', 'team'], (page, signal) => personalApi().operator.listStaff(page, { signal }));
  const remove = useAction(({ user_id: id }: StaffMember) => personalApi().operator.removeStaffMember(id), {
    refreshes: REFRESHES,
    says: (_, { name }) => t('removed', { name }),
  });
  const add = (
    <GuardedButton needs="owner" onClick={() => setAdding(true)}>
      {t('add')}
    </GuardedButton>
  );
  return (
    <Page title={t('title')} about={t('about')} actions={add}>
      <DataTable
        label={t('title')}
        columns={useColumns(setRemoved)}
        list={list}
        keyOf={({ user_id: id }) => id}
        empty={
          <EmptyState icon="staff" title={t('empty')} text={t('empty_text')}>
            <Command text="seathold staff add grace@example.com --role support" label={t('empty')} />
          </EmptyState>
        }
      />
      <AddStaffMember isOpen={isAdding} close={() => setAdding(false)} />
      {removed !== undefined && (
        <ConfirmDialog
          title={t('remove_title', { name: removed.name })}
          text={t('remove_text')}
          submit={t('remove')}
          isOpen
          close={() => setRemoved(undefined)}
          action={remove}
          input={removed}
        />
      )}
    </Page>
  );
}

function useColumns(remove: (member: StaffMember) => void): ReadonlyArray<Column<StaffMember>> {
  const t = useTeamText();
  return [
    { title: t('name'), show: ({ user_id: id, name }) => <NamedId id={id} name={name} to={`/staff/users/${id}`} /> },
    { title: t('email'), show: ({ email }) => <div className="named">{email}</div> },
    { title: t('role'), show: (member) => <RoleSelect member={member} /> },
    {
      title: t('two_factor'),
      show: ({ two_factor_enabled: isOn }) => (
        <Status tone={isOn ? 'success' : 'warning'}>{t(isOn ? 'on' : 'off')}</Status>
      ),
    },
    { title: t('since'), show: ({ created_at: at }) => <Time at={at} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (member) => (
        <GuardedButton
          needs="owner"
          size="compact-xs"
          variant="default"
          aria-label={t('remove_of', { name: member.name })}
          onClick={() => remove(member)}
        >
          {t('remove')}
        </GuardedButton>
      ),
    },
  ];
}

function RoleSelect({ member }: { member: StaffMember }) {
  const t = useTeamText();
  const common = useStaffText();
  const mayChange = includesStaffRole(useStaffRole(), 'owner');
  const change = useAction(
    (role: StaffMember['role']) => personalApi().operator.changeStaffRole(member.user_id, { role }),
    { refreshes: REFRESHES, says: t('changed') },
  );
  if (!mayChange) {
    return <Text size="sm">{common(member.role)}</Text>;
  }
  return (
    <NativeSelect
      size="xs"
      miw={120}
      aria-label={t('role_of', { name: member.name })}
      value={member.role}
      disabled={change.isPending}
      onChange={({ currentTarget }) => change.mutate(readRole(currentTarget.value))}
      data={STAFF_ROLES.map((value) => ({ value, label: common(value) }))}
      error={change.error?.message}
    />
  );
}

function AddStaffMember({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const t = useTeamText();
  const add = useAction((body: AddStaffMemberBody) => personalApi().operator.addStaffMember(body), {
    refreshes: REFRESHES,
    says: (_, { email }) => t('added', { email }),
  });
  return (
    <FormDialog
      title={t('add')}
      isOpen={isOpen}
      close={close}
      submit={t('add')}
      action={add}
      read={(form) => ({ email: String(form.get('email')).trim(), role: readRole(form.get('role')) })}
    >
      <Text size="sm">{t('add_hint')}</Text>
      <TextInput label={t('email')} name="email" type="email" maxLength={254} required data-autofocus />
      <NativeSelect
        label={t('role')}
        name="role"
        data={STAFF_ROLES.map((value) => ({ value, label: t(`role_${value}`) }))}
      />
    </FormDialog>
  );
}
