import {
  anyRow,
  count,
  defineDueCheck,
  many,
  maybeOne,
  milliseconds,
  one,
  statement,
  wallTime,
  wallTimeOnce,
} from '../../database/index.ts';

/** A license whose expiry has to be announced. */
export interface DueLicenseRow {
  organization_id: string;
  id: string;
  clock_offset_ms: number;
}

const IS_UNWARNED = `l.state <> 'revoked' and not l.renews and l.expiring_announced_for is distinct from l.expires_at`;
// A license whose renewal is only late, because the service was down, has not ended. It is announced when it is no
// longer renewed.
const IS_UNEXPIRED = `l.state <> 'revoked' and not l.renews and l.expired_announced_for is distinct from l.expires_at`;

/** Licenses that expire within 7 days and will not be renewed. */
export const listExpiringLicenses = statement({
  name: 'list_expiring_licenses',
  parameters: { limit: 'integer' },
  returns: many<DueLicenseRow>(),
  sql: ({ limit }) => dueLicenses(limit, IS_UNWARNED, (time) => `${time} + interval '7 days'`),
});

export const listExpiredLicenses = statement({
  name: 'list_expired_licenses',
  parameters: { limit: 'integer' },
  returns: many<DueLicenseRow>(),
  sql: ({ limit }) => dueLicenses(limit, IS_UNEXPIRED, (time) => time),
});

export const licensesHaveExpired = defineDueCheck({
  name: 'licenses_have_expired',
  sql: () => anyRow(dueLicenses('1', IS_UNEXPIRED, (time) => time)),
});

/** Organizations on real time are read by one index scan; the few whose clock runs ahead, one by one. */
function dueLicenses(limit: string, isOpen: string, dueBy: (time: string) => string): string {
  return `
    (select l.organization_id, l.id, o.clock_offset_ms from licenses l
      join organizations o on o.id = l.organization_id and o.clock_offset_ms = 0
      where ${isOpen} and l.expires_at <= ${dueBy(wallTimeOnce('0'))} order by l.expires_at limit ${limit})
    union all
    (select l.organization_id, l.id, o.clock_offset_ms from organizations o
      join licenses l on l.organization_id = o.id
      where o.clock_offset_ms > 0 and ${isOpen} and l.expires_at <= ${dueBy(wallTime('o.clock_offset_ms'))} limit ${limit})`;
}

/** The same for one organization, whose clock may have been moved. */
export const listExpiringLicensesOfOrganization = statement({
  name: 'list_expiring_licenses_of_organization',
  parameters: { limit: 'integer', organizationId: 'text' },
  returns: many<DueLicenseRow>(),
  sql: (of) => dueLicensesOfOrganization(of, IS_UNWARNED, (time) => `${time} + interval '7 days'`),
});

export const listExpiredLicensesOfOrganization = statement({
  name: 'list_expired_licenses_of_organization',
  parameters: { limit: 'integer', organizationId: 'text' },
  returns: many<DueLicenseRow>(),
  sql: (of) => dueLicensesOfOrganization(of, IS_UNEXPIRED, (time) => time),
});

function dueLicensesOfOrganization(
  { limit, organizationId }: { limit: string; organizationId: string },
  isOpen: string,
  dueBy: (time: string) => string,
): string {
  const now = `(select clock_timestamp() + clock_offset_ms * interval '1 millisecond' from organizations
      where id = ${organizationId})`;
  return `select l.organization_id, l.id, o.clock_offset_ms from licenses l join organizations o on o.id = l.organization_id
    where l.organization_id = ${organizationId} and ${isOpen} and l.expires_at <= ${dueBy(now)}
    order by l.expires_at limit ${limit}`;
}

/** When a license of an organization next needs a warning or expires, on the organization's clock. */
export const findNextExpiry = statement({
  name: 'find_next_expiry',
  parameters: { organizationId: 'text' },
  returns: one<{ due_ms: number | null }>(),
  sql: ({ organizationId }) => `select least(
      (select ${milliseconds(`l.expires_at - interval '7 days'`)} from licenses l
        where l.organization_id = ${organizationId} and ${IS_UNWARNED} order by l.expires_at limit 1),
      (select ${milliseconds('l.expires_at')} from licenses l
        where l.organization_id = ${organizationId} and ${IS_UNEXPIRED} order by l.expires_at limit 1)
    ) as due_ms`,
});

const LICENSE = { organizationId: 'text', id: 'text', clockOffsetMs: 'bigint' } as const;

/** Marks a license as warned for its expiry date; undefined if another process was faster, or the date has changed. */
export const updateExpiringAnnounced = statement({
  name: 'update_expiring_announced',
  parameters: LICENSE,
  returns: maybeOne<{ is_past: boolean }>(),
  sql: ({ organizationId, id, clockOffsetMs }) => `update licenses l set expiring_announced_for = l.expires_at
    where l.organization_id = ${organizationId} and l.id = ${id} and ${IS_UNWARNED}
      and l.expires_at <= ${wallTime(clockOffsetMs)} + interval '7 days'
    returning l.expires_at <= ${wallTime(clockOffsetMs)} as is_past`,
});

/** Marks a license as announced for its expiry date; 0 if another process was faster, or the date has changed. */
export const updateExpiredAnnounced = statement({
  name: 'update_expired_announced',
  parameters: LICENSE,
  returns: count(),
  sql: ({ organizationId, id, clockOffsetMs }) => `update licenses l set expired_announced_for = l.expires_at
    where l.organization_id = ${organizationId} and l.id = ${id} and ${IS_UNEXPIRED}
      and l.expires_at <= ${wallTime(clockOffsetMs)}`,
});
