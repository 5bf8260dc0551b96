import { INSTALLATION, OPERATOR_COMMAND } from '../audit/index.ts';
import {
  addStaffMember,
  changeStaffRole,
  findStaffMemberByEmail,
  listAllStaff,
  presentStaffMember,
  removeStaffMember,
} from '../auth/index.ts';
import { addressesOf } from '../config/index.ts';
import { notFound, type StaffRole } from '../http/index.ts';
import { Mailer } from '../mail/index.ts';
import { PasswordHasher } from '../security/index.ts';
import { parseEmail } from '../users/index.ts';
import type { Installation } from './connect-installation.ts';

/**
 * Adds a person to the staff. A new person's one-time link is in the result, and in a mail. Throws already_exists, or
 * invalid_request for an invalid address.
 */
export async function operatorAddStaff(
  { config, database, masterKey }: Installation,
  environment: 'production' | 'sandbox',
  input: { email: string; role: StaffRole },
) {
  const { baseUrl, authUrl } = addressesOf(config, environment);
  const overflow = () => new Error('no more than one password is hashed at once');
  const passwords = new PasswordHasher(config.argon2, { concurrent: 1, maxWaiting: 1, overflow });
  const tools = { mailer: new Mailer(masterKey), passwords, baseUrl, authUrl };
  const { member, link } = await addStaffMember(database, tools, COMMAND, input);
  return { ...member, setup_url: link?.url ?? null, setup_expires_at: link?.expiresAt ?? null };
}

/** All staff, owners first; at most a thousand. */
export async function operatorListStaff({ database }: Installation) {
  return (await listAllStaff(database, { limit: MOST_SHOWN })).map(presentStaffMember);
}

/** Gives a staff member another role. Throws not_found, and conflict for the last owner. */
export async function operatorSetStaffRole({ database }: Installation, email: string, role: StaffRole) {
  return changeStaffRole(database, COMMAND, await requireStaffId(database, email), role);
}

/** Removes a staff role. Throws not_found, and conflict for the last owner. */
export async function operatorRemoveStaff({ database }: Installation, email: string) {
  return removeStaffMember(database, COMMAND, await requireStaffId(database, email));
}

async function requireStaffId(database: Installation['database'], email: string): Promise<string> {
  const found = await findStaffMemberByEmail(database, { email: parseEmail(email) ?? '' });
  if (found === undefined) {
    throw notFound('staff_member');
  }
  return found.user_id;
}

const COMMAND = { ...OPERATOR_COMMAND, organizationId: INSTALLATION };
const MOST_SHOWN = 1_000;
