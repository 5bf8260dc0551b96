import { personalApi, useList } from '../../api/index.ts';
import { DataTable, EmptyState, Time } from '../../ui/index.ts';
import { NamedId } from '../frame/index.ts';
import { useCustomersText } from './messages.ts';

const ROLES = { admin: 'admin', billing: 'role_billing', member: 'member' } as const;

/** The people of a customer. */
export function MembersTable({ organizationId }: { organizationId: string }) {
  const t = useCustomersText();
  const list = useList(['staff', 'customers', organizationId, 'members'], (page, signal) =>
    personalApi().organizations.listMembers(organizationId, page, { signal, organizationId }),
  );
  return (
    <DataTable
      label={t('members')}
      columns={[
        {
          title: t('name'),
          show: ({ name, user_id: id }) => <NamedId id={id} name={name} to={`/staff/users/${id}`} />,
        },
        { title: t('email'), show: ({ email }) => <div className="named">{email}</div> },
        { title: t('role'), show: ({ role }) => t(ROLES[role]) },
        { title: t('joined'), show: ({ created_at: at }) => <Time at={at} /> },
      ]}
      list={list}
      keyOf={({ user_id: id }) => id}
      empty={<EmptyState icon="members" title={t('no_members_title')} text={t('no_members_text')} />}
    />
  );
}
