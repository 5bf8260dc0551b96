import { randomUUID } from 'node:crypto';
import type { ImportTools, Outcome } from './import-tools.ts';
import type { Person, Role } from './organization-people.ts';
import type { UserRow } from './row-schemas.ts';

/**
 * Invites a user to an organization by mail, or changes the role of an existing member or invitation. Accounts and
 * passwords belong to the users, so no one becomes a member without accepting.
 */
export async function importUser(tools: ImportTools, row: UserRow): Promise<Outcome> {
  const organizationId = await tools.organizations.require(row.organization);
  if (organizationId === undefined) {
    return 'created';
  }
  const place = { tools, organizationId, email: row.email.toLowerCase(), role: row.role ?? 'member' };
  const people = await tools.people.of(organizationId);
  const present = people.get(place.email);
  if (present?.role === place.role) {
    return 'unchanged';
  }
  if (!tools.isDryRun) {
    people.set(place.email, await write(place, present));
  }
  return present === undefined ? 'created' : 'updated';
}

interface Place {
  tools: ImportTools;
  organizationId: string;
  email: string;
  role: Role;
}

async function write(place: Place, present: Person | undefined): Promise<Person> {
  const { tools, organizationId, role } = place;
  const { organizations } = tools.client;
  if (present?.kind === 'member') {
    await tools.pace.send(() =>
      organizations.changeMemberRole(organizationId, present.userId, { role }, { organizationId }),
    );
    return { ...present, role };
  }
  if (present !== undefined) {
    await tools.pace.send(() => organizations.revokeInvitation(organizationId, present.id, { organizationId }));
  }
  return { kind: 'invited', id: await invite(place), role };
}

/** Returns the ID of the invitation. */
async function invite({ tools, organizationId, email, role }: Place): Promise<string> {
  const { client, pace } = tools;
  // Only for this attempt, because the same invitation must work again after someone has revoked it.
  const idempotencyKey = randomUUID();
  const { id } = await pace.send(() =>
    client.organizations.createInvitation(organizationId, { email, role }, { organizationId, idempotencyKey }),
  );
  return id;
}
