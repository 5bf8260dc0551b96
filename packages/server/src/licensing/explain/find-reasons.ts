import { findLatestAct } from '../../audit/index.ts';
import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { findOperatedOrganization, type PersonRow } from '../../organizations/index.ts';
import { presentExpiry, statusOf } from '../licenses/license-rules.ts';
import { findIsAllowed, type ListedLicenseRow } from '../licenses/queries.ts';
import type { NamedSessionResource } from '../schemas.ts';
import type { ReasonResource } from './schemas.ts';

/** What the reasons are judged by. */
export interface Circumstances {
  organizationId: string;
  person: PersonRow;
  license: ListedLicenseRow;
  /** The active sessions of the license, newest first, at most 100. */
  holders: NamedSessionResource[];
  /** How many of the active sessions are the user's. */
  own: number;
}

/** Why an acquire of this user would be refused, in the order in which acquire decides. */
export async function findReasons(database: Queries, given: Circumstances): Promise<ReasonResource[]> {
  const ofOrganization = await findOrganizationReason(database, given);
  const ofPerson = given.person.role === null ? STRANGER : undefined;
  const ofLicense =
    (await findLicenseReason(database, given)) ?? (await findUserReason(database, given)) ?? findSeatReason(given);
  return [ofOrganization, ofPerson, ofLicense].filter((each) => each !== undefined);
}

/** While an organization is suspended, its members' tokens are refused before acquire begins. */
async function findOrganizationReason(
  database: Queries,
  { organizationId }: Circumstances,
): Promise<ReasonResource | undefined> {
  const organization = await findOperatedOrganization(database, { organizationId });
  const since = organization?.suspended_at ?? null;
  return since === null
    ? undefined
    : { code: 'organization_suspended', message: 'The organization is suspended.', since: isoTime(since.getTime()) };
}

const STRANGER: ReasonResource = {
  code: 'not_found',
  message: 'The user is not a member of the organization that owns the license, so acquire does not find it.',
  since: null,
};

async function findLicenseReason(
  database: Queries,
  { organizationId, license }: Circumstances,
): Promise<ReasonResource | undefined> {
  const status = statusOf(license.state, license.expires_at_ms, license.now_ms);
  if (status === 'active') {
    return undefined;
  }
  if (status === 'expired') {
    return {
      code: 'license_expired',
      message: 'The license has expired.',
      since: presentExpiry(license.expires_at_ms),
    };
  }
  const act = await findLatestAct(database, { organizationId, targetId: license.id, action: `license.${status}` });
  return {
    code: `license_${status}`,
    message: `The license is ${status}.`,
    since: act === undefined ? null : isoTime(act.at.getTime()),
  };
}

async function findUserReason(
  database: Queries,
  { organizationId, person, license }: Circumstances,
): Promise<ReasonResource | undefined> {
  const found = await findIsAllowed(database, { organizationId, id: license.id, userId: person.id });
  return found?.is_allowed === false
    ? { code: 'user_not_allowed', message: 'The license is limited to certain users, without this one.', since: null }
    : undefined;
}

/** A license is full since its newest session began. */
function findSeatReason({ license, holders, own }: Circumstances): ReasonResource | undefined {
  if (license.active_seats < license.max_seats) {
    return undefined;
  }
  const all = license.max_seats === 1 ? 'The only seat is in use.' : `All ${license.max_seats} seats are in use.`;
  const machines = own === 1 ? 'that machine' : 'those machines';
  const owned = own === 0 ? '' : ` The user holds ${own}: on ${machines}, acquire returns the existing session.`;
  return { code: 'no_seats_available', message: `${all}${owned}`, since: holders[0]?.started_at ?? null, holders };
}
