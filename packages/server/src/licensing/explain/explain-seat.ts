import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, invalidRequest, notFound } from '../../http/index.ts';
import { findClockEvenIfDeleted, findPerson, type PersonRow } from '../../organizations/index.ts';
import { findLicenseByTypedKey } from '../licenses/key-aliases.ts';
import { presentListedLicense } from '../licenses/present-license.ts';
import { findLicense, findLicenseOwner, type ListedLicenseRow } from '../licenses/queries.ts';
import { presentRefusal } from '../refusals/present-refusal.ts';
import { listRefusalsOfUser } from '../refusals/queries.ts';
import { findMemberNames } from '../sessions/find-names.ts';
import { presentNamedSession } from '../sessions/present-session.ts';
import { type ActiveSessionRow, listActiveSessions, listActiveSessionsOfUser } from '../sessions/queries.ts';
import { findReasons } from './find-reasons.ts';
import type { ExplainQuery, Explanation } from './schemas.ts';

/** Why a user can or cannot get a seat of a license. For staff. Throws invalid_request and not_found. */
export async function explainSeat({ database }: AuthorizedContext, query: ExplainQuery): Promise<Answer<Explanation>> {
  requireOne(query, 'email', 'user_id');
  requireOne(query, 'license_key', 'license_id');
  const { organizationId, clockOffsetMs, license } = await requireLicense(database, query);
  const person = await requirePerson(database, organizationId, query);
  const of = { organizationId, clockOffsetMs, licenseId: license.id };
  const active = await listActiveSessions(database, of);
  const own = await listActiveSessionsOfUser(database, { ...of, userId: person.id });
  const names = await findMemberNames(database, organizationId, [...active, ...own]);
  const present = (row: ActiveSessionRow) => presentNamedSession(row, names);
  const circumstances = { organizationId, person, license, holders: active.map(present), own: own.length };
  const reasons = await findReasons(database, circumstances);
  const ofUser = { organizationId, licenseId: license.id, userId: person.id };
  const refusals = await listRefusalsOfUser(database, { ...ofUser, limit: MOST_REFUSALS });
  const data = {
    can_acquire: reasons.length === 0,
    reasons,
    user: person,
    license: { ...presentListedLicense(license), organization_id: organizationId },
    sessions: own.map(present),
    refusals: refusals.map(presentRefusal),
  };
  return { data };
}

const MOST_REFUSALS = 20;

/** Throws unless exactly one of two parameters was sent. */
function requireOne(query: ExplainQuery, one: keyof ExplainQuery, other: keyof ExplainQuery): void {
  if (query[one] === undefined && query[other] === undefined) {
    throw invalidRequest(one, 'required', `Send ${one} or ${other}.`);
  }
  if (query[one] !== undefined && query[other] !== undefined) {
    throw invalidRequest(other, 'unknown', `Send either ${one} or ${other}, not both.`);
  }
}

async function requireLicense(
  database: Queries,
  query: ExplainQuery,
): Promise<{ organizationId: string; clockOffsetMs: number; license: ListedLicenseRow }> {
  const place = await findPlace(database, query);
  if (place === undefined) {
    throw notFound('license');
  }
  const { organization_id: organizationId, id } = place;
  const clockOffsetMs = (await findClockEvenIfDeleted(database, { organizationId }))?.clock_offset_ms ?? 0;
  const license = await findLicense(database, { organizationId, clockOffsetMs, id });
  if (license === undefined) {
    throw notFound('license');
  }
  return { organizationId, clockOffsetMs, license };
}

async function findPlace(
  database: Queries,
  { license_key: typed = '', license_id: id }: ExplainQuery,
): Promise<{ organization_id: string; id: string } | undefined> {
  if (id !== undefined) {
    const owner = await findLicenseOwner(database, { id });
    return owner === undefined ? undefined : { ...owner, id };
  }
  return findLicenseByTypedKey(database, typed);
}

async function requirePerson(
  database: Queries,
  organizationId: string,
  { email = '', user_id: userId }: ExplainQuery,
): Promise<PersonRow> {
  const person = await findPerson(database, organizationId, userId === undefined ? { email } : { userId });
  if (person === undefined) {
    throw notFound('user');
  }
  return person;
}
