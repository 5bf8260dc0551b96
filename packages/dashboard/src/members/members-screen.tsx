import { Button, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Member } from '@seathold/client';
import { useState } from 'react';
import { api, useCurrentUser, useHasRole, useList } from '../api/index.ts';
import { ACTIONS, type Column, ConfirmDialog, DataTable, FormDialog, Page, Time, useAction } from '../ui/index.ts';
import { InvitationsPanel } from './invitations-panel.tsx';
import { useMembersText } from './messages.ts';

const ROLES = ['member', 'billing', 'admin'] as const;

/** The members and invitations of the organization. */
export function MembersScreen() {
  const t = useMembersText();
  const isAdmin = useHasRole('admin');
  const { organization } = useCurrentUser();
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const list = useList(['members'], (page) => api().organizations.listMembers(organization.id, page));
  const columns = useColumns(setRemoving);
  const remove = useAction((member: Member) => api().organizations.removeMember(organization.id, member.user_id), {
    refreshes: [['members']],
    says: (_, { name }) => t('removed', { name }),
  });
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={isAdmin && <Button onClick={() => setInviting(true)}>{t('invite')}</Button>}
    >
      <DataTable label={t('title')} list={list} columns={columns} keyOf={(member) => member.user_id} empty={null} />
      {isAdmin && (
        <Stack gap="sm">
          <Title order={2}>{t('invitations')}</Title>
          <InvitationsPanel organizationId={organization.id} />
        </Stack>
      )}
      <InviteDialog organizationId={organization.id} isOpen={isInviting} close={() => setInviting(false)} />
      {removing !== undefined && (
        <ConfirmDialog
          title={t('remove_title', { name: removing.name })}
          text={t('remove_text')}
          submit={t('remove')}
          isOpen
          close={() => setRemoving(undefined)}
          action={remove}
          input={removing}
        />
      )}
    </Page>
  );
}

function useColumns(remove: (member: Member) => void): ReadonlyArray<Column<Member>> {
  const t = useMembersText();
  const isAdmin = useHasRole('admin');
  const me = useCurrentUser();
  return [
    {
      title: t('name'),
      show: ({ name, email, user_id: id }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
            {id === me.id && ` (${t('you')})`}
          </Text>
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        </>
      ),
    },
    { title: t('role'), show: (member) => (isAdmin ? <RoleSelect member={member} /> : t(member.role)) },
    { title: t('joined'), show: ({ created_at: at }) => <Time at={at} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (member) =>
        isAdmin && (
          <Button size="compact-xs" variant="default" onClick={() => remove(member)}>
            {t(member.user_id === me.id ? 'leave' : 'remove')}
          </Button>
        ),
    },
  ];
}

function RoleSelect({ member }: { member: Member }) {
  const t = useMembersText();
  const change = useAction(
    (role: Member['role']) => api().organizations.changeMemberRole(member.organization_id, member.user_id, { role }),
    { refreshes: [['members'], ['me']], says: t('changed') },
  );
  return (
    <NativeSelect
      size="xs"
      miw="7rem"
      aria-label={t('role_of', { name: member.name })}
      value={member.role}
      disabled={change.isPending}
      onChange={({ currentTarget }) => change.mutate(roleOf(currentTarget.value))}
      data={ROLES.map((value) => ({ value, label: t(value) }))}
      error={change.error?.message}
    />
  );
}

function InviteDialog(props: { organizationId: string; isOpen: boolean; close: () => void }) {
  const { organizationId, isOpen, close } = props;
  const t = useMembersText();
  const invite = useAction(
    (body: { email: string; role: Member['role'] }) => api().organizations.createInvitation(organizationId, body),
    { refreshes: [['invitations']], says: (_, { email }) => t('invited', { email }) },
  );
  return (
    <FormDialog
      title={t('invite')}
      isOpen={isOpen}
      close={close}
      submit={t('invite')}
      action={invite}
      read={(form) => ({ email: String(form.get('email')).trim(), role: roleOf(form.get('role')) })}
    >
      <TextInput label={t('email')} name="email" type="email" required data-autofocus />
      <NativeSelect label={t('role')} name="role" data={ROLES.map((value) => ({ value, label: t(`${value}_hint`) }))} />
    </FormDialog>
  );
}

function roleOf(value: unknown): Member['role'] {
  return ROLES.find((role) => role === value) ?? 'member';
}
