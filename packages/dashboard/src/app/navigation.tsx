import { Link } from '@tanstack/react-router';
import { useHasRole } from '../api/index.ts';
import { Icon, type IconName } from '../ui/index.ts';
import { useAppText } from './messages.ts';

type Title = Parameters<ReturnType<typeof useAppText>>[0];
type Entry = readonly [to: string, title: Title, icon: IconName];

const SEATS: readonly Entry[] = [['/licenses', 'licenses', 'license']];
const DEVELOPERS: readonly Entry[] = [['/api-keys', 'api_keys', 'key']];
const DEVELOPERS_OF_ADMINS: readonly Entry[] = [
  ['/webhooks', 'webhooks', 'webhook'],
  ['/events', 'events', 'event'],
];
const BILLING: readonly Entry[] = [['/invoices', 'invoices', 'invoice']];
const ORGANIZATION: readonly Entry[] = [
  ['/projects', 'projects', 'project'],
  ['/members', 'members', 'members'],
];
const ORGANIZATION_OF_ADMINS: readonly Entry[] = [['/audit-log', 'audit_log', 'audit']];

/** The way to every screen that the person's role may see. */
export function Navigation({ follow }: { follow: () => void }) {
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
    </>
  );
}

function Links({ title, entries, follow }: { title?: Title; entries: readonly Entry[]; follow: () => void }) {
  const t = useAppText();
  return (
    <>
      {title !== undefined && <div className="nav-title">{t(title)}</div>}
      {entries.map(([to, name, icon]) => (
        <Link key={to} to={to} className="nav" activeOptions={{ exact: to === '/' }} onClick={follow}>
          <Icon name={icon} />
          {t(name)}
        </Link>
      ))}
    </>
  );
}
