import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { httpError, invalidRequest, type StaffRole } from '../../http/index.ts';
import type { Mailer } from '../../mail/index.ts';
import { newToken, type PasswordHasher, TOKEN_PREFIXES } from '../../security/index.ts';
import { findUserByEmail, parseEmail } from '../../users/index.ts';
import { createAccount } from '../accounts/create-account.ts';
import { findTwoFactorSecret } from '../two-factor/queries.ts';
import { createSetupLink, type SetupLink } from './create-setup-link.ts';
import { presentStaffMember } from './present-staff-member.ts';
import { findStaffMember, insertStaffMember } from './queries.ts';
import type { StaffInput, StaffMember } from './schemas.ts';
import { hasUnspentSetupLink } from './setup-link-queries.ts';
import { addedMail, setupMail } from './staff-mails.ts';

/** The dependencies of adding staff. */
export interface StaffTools {
  mailer: Mailer;
  passwords: Pick<PasswordHasher, 'hash'>;
  authUrl: string;
  baseUrl: string;
}

/**
 * Adds a person to the vendor's staff. A person with an account has the role immediately. A new person gets an account
 * that no one can log in to yet, and a one-time link by mail. Each repetition sends another link until one is used.
 * Throws `already_exists` for other staff, and `invalid_request` for an invalid address.
 */
export async function addStaffMember(
  database: Queries,
  tools: StaffTools,
  actor: AuditActor,
  input: StaffInput,
): Promise<{ member: StaffMember; link: SetupLink | undefined }> {
  const email = parseEmail(input.email);
  if (email === undefined) {
    throw invalidRequest('email', 'format', 'email must be a valid email address.');
  }
  const account = { email, name: email.slice(0, email.indexOf('@')).slice(0, MAX_NAME) };
  // Nobody knows this password. Hashed before the transaction begins, as in every registration.
  const passwordHash = await tools.passwords.hash(newToken(TOKEN_PREFIXES.staffSetup));
  return database.transaction(async (tx) => {
    const found = await findUserByEmail(tx, { email });
    const { user } =
      found === undefined
        ? await createAccount(tx, { ...account, passwordHash, organizationName: account.name })
        : { user: found };
    const needsLink = found === undefined || (await isWithoutSetup(tx, user.id));
    await insertMember(tx, actor, user.id, input.role, needsLink);
    const member = await requireMember(tx, user.id);
    if (!needsLink) {
      await tools.mailer.queue(tx, addedMail(tools, member));
      return { member, link: undefined };
    }
    const link = await createSetupLink(tx, tools.authUrl, user.id);
    await tools.mailer.queue(tx, setupMail(member, link));
    return { member, link };
  });
}

const MAX_NAME = 100;

/** Whether the person was added before and has not used their link. */
async function isWithoutSetup(tx: Queries, userId: string): Promise<boolean> {
  return (
    (await hasUnspentSetupLink(tx, { userId })) && (await findTwoFactorSecret(tx, { userId }))?.is_enabled !== true
  );
}

async function insertMember(
  tx: Queries,
  actor: AuditActor,
  userId: string,
  role: StaffRole,
  mayBeThere: boolean,
): Promise<void> {
  const inserted = await insertStaffMember(tx, { userId, role, createdBy: actor.userId ?? actor.credentialId });
  if (inserted === 0 && !mayBeThere) {
    throw httpError('already_exists', 'This person is already a staff member. Change the role instead.', {
      details: { field: 'email' },
    });
  }
  const member = await requireMember(tx, userId);
  if (inserted > 0) {
    const target = { targetType: 'staff_member', targetId: userId };
    await recordAudit(tx, actor, { action: 'staff.added', ...target, after: { email: member.email, role } });
  } else if (member.role !== role) {
    throw httpError('conflict', `This person was added as ${member.role}. Change the role instead.`);
  }
}

async function requireMember(tx: Queries, userId: string): Promise<StaffMember> {
  const row = await findStaffMember(tx, { userId });
  if (row === undefined) {
    throw new Error('a staff member that was just written is missing');
  }
  return presentStaffMember(row);
}
