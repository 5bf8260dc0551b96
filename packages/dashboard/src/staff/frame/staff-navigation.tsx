import { Link } from '@tanstack/react-router';
import { useCurrentUser } from '../../api/index.ts';
import { Icon, type IconName } from '../../ui/index.ts';
import { useStaffText } from './messages.ts';

type Title = Parameters<ReturnType<typeof useStaffText>>[0];

interface Part {
  title?: Title;
  links: ReadonlyArray<readonly [to: string, title: Title, icon: IconName]>;
}

const PARTS: readonly Part[] = [
  { links: [['/staff', 'overview', 'overview']] },
  {
    title: 'people',
    links: [
      ['/staff/customers', 'customers', 'members'],
      ['/staff/users', 'users', 'account'],
    ],
  },
  {
    title: 'seats',
    links: [
      ['/staff/licenses', 'licenses', 'license'],
      ['/staff/refusals', 'refusals', 'close'],
      ['/staff/explain', 'explain', 'docs'],
    ],
  },
  {
    title: 'money',
    links: [
      ['/staff/subscriptions', 'subscriptions', 'subscription'],
      ['/staff/invoices', 'invoices', 'invoice'],
      ['/staff/payments', 'payments', 'card'],
      ['/staff/exports', 'exports', 'download'],
    ],
  },
  {
    title: 'installation',
    links: [
      ['/staff/catalogue', 'catalogue', 'docs'],
      ['/staff/products', 'products', 'app'],
      ['/staff/team', 'team', 'staff'],
      ['/staff/tokens', 'tokens', 'key'],
      ['/staff/audit-log', 'audit_log', 'audit'],
    ],
  },
];

/** Links to the staff's screens, instead of those of the person's own organization. */
export function StaffNavigation({ follow }: { follow: () => void }) {
  const t = useStaffText();
  const { organization, staff } = useCurrentUser();
  const back = t('back', { name: organization.name });
  return (
    <>
      <Link to="/" className="nav" activeOptions={{ exact: true }} onClick={follow}>
        <Icon name="back" />
        <span className="brand" title={back}>
          {back}
        </span>
      </Link>
      {PARTS.map(({ title, links }) => (
        <div key={title ?? ''}>
          {title !== undefined && <div className="nav-title">{t(title)}</div>}
          {links.map(([to, name, icon]) => (
            <Link key={to} to={to} className="nav" activeOptions={{ exact: to === '/staff' }} onClick={follow}>
              <Icon name={icon} />
              {t(name)}
            </Link>
          ))}
        </div>
      ))}
      {staff !== null && <p className="nav-title">{t('role_note', { role: t(staff.role) })}</p>}
    </>
  );
}
