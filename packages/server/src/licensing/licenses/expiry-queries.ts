import { type Statement, wallTime, wallTimeOnce } from '../../database/index.ts';

/** A license whose expiry is to be announced. */
export interface DueLicenseRow {
  organization_id: string;
  id: string;
  clock_offset_ms: number;
}

/** The organizations on real time by one walk along an index; the few whose clock runs ahead one by one. */
function dueLicenses(isDue: (time: string) => string, isOpen: string): string {
  return `
    (select l.organization_id, l.id, o.clock_offset_ms from licenses l
      join organizations o on o.id = l.organization_id and o.clock_offset_ms = 0
      where ${isOpen} and ${isDue(wallTimeOnce('0'))} order by l.expires_at limit $1)
    union all
    (select l.organization_id, l.id, o.clock_offset_ms from organizations o
      join licenses l on l.organization_id = o.id
      where o.clock_offset_ms > 0 and ${isOpen} and ${isDue(wallTime('o.clock_offset_ms'))} limit $1)`;
}

const IS_UNWARNED = `l.state <> 'revoked' and not l.renews and l.expiring_announced_for is distinct from l.expires_at`;
// One whose renewal is merely late, because the service was away, did not end: it is announced when nothing renews it any more.
const IS_UNEXPIRED = `l.state <> 'revoked' and not l.renews and l.expired_announced_for is distinct from l.expires_at`;

/** $1 how many at most. Those that expire within 7 days, nothing renewing them. */
export const LIST_EXPIRING_LICENSES: Statement<DueLicenseRow> = {
  name: 'list_expiring_licenses',
  text: dueLicenses((time) => `l.expires_at <= ${time} + interval '7 days'`, IS_UNWARNED),
};

/** $1 how many at most. */
export const LIST_EXPIRED_LICENSES: Statement<DueLicenseRow> = {
  name: 'list_expired_licenses',
  text: dueLicenses((time) => `l.expires_at <= ${time}`, IS_UNEXPIRED),
};

/** $1 how many at most, $2 organization. Those of one organization, whose clock may have been moved. */
export const LIST_EXPIRING_LICENSES_OF_ORGANIZATION: Statement<DueLicenseRow> = {
  name: 'list_expiring_licenses_of_organization',
  text: dueLicensesOfOrganization(IS_UNWARNED, (time) => `${time} + interval '7 days'`),
};

/** $1 how many at most, $2 organization. */
export const LIST_EXPIRED_LICENSES_OF_ORGANIZATION: Statement<DueLicenseRow> = {
  name: 'list_expired_licenses_of_organization',
  text: dueLicensesOfOrganization(IS_UNEXPIRED, (time) => time),
};

function dueLicensesOfOrganization(isOpen: string, dueBy: (time: string) => string): string {
  const now =
    "(select clock_timestamp() + clock_offset_ms * interval '1 millisecond' from organizations where id = $2)";
  return `select l.organization_id, l.id, o.clock_offset_ms from licenses l join organizations o on o.id = l.organization_id
    where l.organization_id = $2 and ${isOpen} and l.expires_at <= ${dueBy(now)} order by l.expires_at limit $1`;
}

/** $1 organization: the earliest moment when a license is to be warned of or has expired, on the organization's clock. */
export const FIND_NEXT_EXPIRY: Statement<{ due_ms: number | null }> = {
  name: 'find_next_expiry',
  text: `select least(
      (select floor(extract(epoch from l.expires_at - interval '7 days') * 1000)::float8 from licenses l
        where l.organization_id = $1 and ${IS_UNWARNED} order by l.expires_at limit 1),
      (select floor(extract(epoch from l.expires_at) * 1000)::float8 from licenses l
        where l.organization_id = $1 and ${IS_UNEXPIRED} order by l.expires_at limit 1)
    ) as due_ms`,
};

/**
 * Marks a license as warned of for its present expiry date; no row when another process was faster, or the date moved.
 * $1 organization, $2 license, $3 offset.
 */
export const UPDATE_EXPIRING_ANNOUNCED: Statement<{ id: string; is_past: boolean }> = {
  name: 'update_expiring_announced',
  text: `update licenses l set expiring_announced_for = l.expires_at
    where l.organization_id = $1 and l.id = $2 and ${IS_UNWARNED}
      and l.expires_at <= ${wallTime('$3::bigint')} + interval '7 days'
    returning l.id, l.expires_at <= ${wallTime('$3::bigint')} as is_past`,
};

/** $1 organization, $2 license, $3 offset. */
export const UPDATE_EXPIRED_ANNOUNCED: Statement<{ id: string }> = {
  name: 'update_expired_announced',
  text: `update licenses l set expired_announced_for = l.expires_at
    where l.organization_id = $1 and l.id = $2 and ${IS_UNEXPIRED} and l.expires_at <= ${wallTime('$3::bigint')}
    returning l.id`,
};
