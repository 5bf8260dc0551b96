import type { Queries } from '../database/index.ts';
import { newId } from '../ids/index.ts';
import { slugTaken } from './errors.ts';
import { insertMembership, type MembershipRow } from './memberships/queries.ts';
import { insertOrganization } from './organization-queries.ts';
import { slugOf } from './slug-rules.ts';

/**
 * Creates an organization with its first admin, in the caller's transaction. Without a slug, it gets one derived from
 * its name. Throws `already_exists` if the requested slug is taken.
 */
export async function createOrganization(
  tx: Queries,
  name: string,
  admin: { id: string; name: string },
  wantedSlug?: string,
): Promise<MembershipRow> {
  const id = newId('organization');
  if (wantedSlug === undefined) {
    await insertWithFreeSlug(tx, id, name);
  } else if ((await insertOrganization(tx, { id, name, slug: wantedSlug })) === 0) {
    throw slugTaken(wantedSlug);
  }
  await insertMembership(tx, { organizationId: id, userId: admin.id, userName: admin.name, role: 'admin' });
  return { organization_id: id, organization_name: name, role: 'admin' };
}

/** Creates an organization without members, in the caller's transaction. Returns its ID. */
export async function createOrganizationWithoutMembers(tx: Queries, name: string): Promise<string> {
  const id = newId('organization');
  await insertWithFreeSlug(tx, id, name);
  return id;
}

/** If the name's own slug is taken, the random end of the identifier makes it unique. */
async function insertWithFreeSlug(tx: Queries, id: string, name: string): Promise<void> {
  const slug = slugOf(name);
  for (const candidate of [slug, `${slug}-${id.slice(-6)}`, `${slug}-${id.slice(-13)}`]) {
    if ((await insertOrganization(tx, { id, name, slug: candidate })) > 0) {
      return;
    }
  }
  throw new Error(`no free slug was found for ${name}`);
}
