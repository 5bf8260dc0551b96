import { findLatestAct } from '../../audit/index.ts';
import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { findOperatedOrganization, type PersonRow } from '../../organizations/index.ts';
import { presentExpiry, statusOf } from '../licenses/license-rules.ts';
import { findIsAllowed, type ListedLicenseRow } from '../licenses/queries.ts';
import type { NamedSessionResource } from '../schemas.ts';
import { findLine, type Line } from './queries.ts';
import type { ReasonResource } from './schemas.ts';

/** The inputs for finding the reasons. */
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
    (await findLicenseReason(database, given)) ??
    (await findUserReason(database, given)) ??
    (await findSeatReason(database, given));
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
    ? {
        code: 'user_not_allowed',
        message: 'The license is limited to certain users, and this user is not one of them.',
        since: null,
      }
    : undefined;
}

/** A license has been full since its newest session began. Its free seats are for the machines in line. */
async function findSeatReason(
  database: Queries,
  { organizationId, person, license, holders, own }: Circumstances,
): Promise<ReasonResource | undefined> {
  const line = await findLine(database, { organizationId, licenseId: license.id, userId: person.id });
  const free = license.max_seats - license.active_seats;
  if (free > line.waiting) {
    return undefined;
  }
  const sentences = [sayTaken(license.max_seats, free), ...sayLine(line), ...sayOwn(own)];
  const since = free <= 0 ? (holders[0]?.started_at ?? null) : null;
  return { code: 'no_seats_available', message: sentences.join(' '), since, holders };
}

function sayTaken(seats: number, free: number): string {
  if (free > 0) {
    return free === 1 ? 'The only free seat is reserved.' : `All ${free} free seats are reserved.`;
  }
  return seats === 1 ? 'The only seat is in use.' : `All ${seats} seats are in use.`;
}

function sayLine({ waiting, position }: Line): string[] {
  if (waiting === 0) {
    return [];
  }
  const all = waiting === 1 ? '1 machine is waiting in line.' : `${waiting} machines are waiting in line.`;
  return position === null ? [all] : [all, `The user's first machine is at position ${position}.`];
}

function sayOwn(own: number): string[] {
  const machines = own === 1 ? 'that machine' : 'those machines';
  return own === 0 ? [] : [`The user holds ${own}: on ${machines}, acquire returns the existing session.`];
}
