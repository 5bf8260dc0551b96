import { Link, useLocation } from '@tanstack/react-router';
import { actingFor, PERSONAL_PATHS, useHasRole, useStaffRole } from '../api/index.ts';
import { StaffNavigation } from '../staff/frame/staff-navigation.tsx';
import { Icon, type IconName } from '../ui/index.ts';
import { useAppText } from './messages.ts';

type Title = Parameters<ReturnType<typeof useAppText>>[0];
type Entry = readonly [to: string, title: Title, icon: IconName];

const SEATS: readonly Entry[] = [['/licenses', 'licenses', 'license']];
const DEVELOPERS: readonly Entry[] = [
  ['/api-keys', 'api_keys', 'key'],
  ['/oauth-apps', 'oauth_apps', 'app'],
  ['/connected-apps', 'connected_apps', 'link'],
];
const DEVELOPERS_OF_ADMINS: readonly Entry[] = [
  ['/webhooks', 'webhooks', 'webhook'],
  ['/events', 'events', 'event'],
];
const BILLING: readonly Entry[] = [
  ['/subscriptions', 'subscriptions', 'subscription'],
  ['/invoices', 'invoices', 'invoice'],
  ['/payment-methods', 'payment_methods', 'card'],
  ['/billing-details', 'billing_details', 'docs'],
  ['/usage', 'usage', 'usage'],
];
const ORGANIZATION: readonly Entry[] = [
  ['/projects', 'projects', 'project'],
  ['/members', 'members', 'members'],
  ['/settings', 'settings', 'settings'],
];
const STAFF: readonly Entry[] = [['/staff', 'staff', 'staff']];
const ORGANIZATION_OF_ADMINS: readonly Entry[] = [['/audit-log', 'audit_log', 'audit']];

/** Links to every screen that the person's role may see. */
export function Navigation({ follow }: { follow: () => void }) {
  const { pathname } = useLocation();
  return /^\/staff(\/|$)/.test(pathname) ? (
    <StaffNavigation follow={follow} />
  ) : (
    <OrganizationNavigation follow={follow} />
  );
}

function OrganizationNavigation({ follow }: { follow: () => void }) {
  const isStaff = useStaffRole() !== undefined && actingFor === undefined;
  const isAdmin = useHasRole('admin');
  const seesBilling = useHasRole('billing');
  return (
    <>
      <Links entries={[['/', 'overview', 'overview']]} follow={follow} />
      <Links title="seats" entries={SEATS} follow={follow} />
      <Links title="developers" entries={[...DEVELOPERS, ...(isAdmin ? DEVELOPERS_OF_ADMINS : [])]} follow={follow} />
      {seesBilling && <Links title="billing" entries={BILLING} follow={follow} />}
      <Links
        title="organization"
        entries={[...ORGANIZATION, ...(isAdmin ? ORGANIZATION_OF_ADMINS : [])]}
        follow={follow}
      />
      {isStaff && <Links title="vendor" entries={STAFF} follow={follow} />}
    </>
  );
}

function Links({ title, entries, follow }: { title?: Title; entries: readonly Entry[]; follow: () => void }) {
  const t = useAppText();
  const shown = actingFor === undefined ? entries : entries.filter(([to]) => !PERSONAL_PATHS.includes(to));
  if (shown.length === 0) {
    return null;
  }
  return (
    <>
      {title !== undefined && <div className="nav-title">{t(title)}</div>}
      {shown.map(([to, name, icon]) => (
        <Link key={to} to={to} className="nav" activeOptions={{ exact: to === '/' }} onClick={follow}>
          <Icon name={icon} />
          {t(name)}
        </Link>
      ))}
    </>
  );
}
