import { actorWithoutToken, INSTALLATION, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { httpError, type StaffRole } from '../../http/index.ts';
import { hashToken } from '../../security/index.ts';
import { findUserById, lockUserById, parseEmail, updateForgottenPassword } from '../../users/index.ts';
import type { AccountTools } from '../accounts/account-tools.ts';
import { createAccount } from '../accounts/create-account.ts';
import { endAccessOfUser } from '../accounts/end-access-of-user.ts';
import type { ResetContext } from '../accounts/reset-password.ts';
import { sendVerification } from '../accounts/send-verification.ts';
import { requireSoundPassword } from '../passwords/require-sound-password.ts';
import { enableSecret, renewRecoveryCodes } from '../two-factor/change-two-factor.ts';
import { findTimeStep, parseCode } from '../two-factor/code-rules.ts';
import { findTwoFactorSecret } from '../two-factor/queries.ts';
import { getSetup, setupLinkIsOver } from './get-setup.ts';
import { findStaffMember, hasStaff, insertStaffMember } from './queries.ts';
import { findSetupLink, updateSetupLinkSpent } from './setup-link-queries.ts';

/** The input of the page. */
export interface SetupInput {
  token: string;
  /** Only for the first owner. */
  email: string;
  name: string;
  password: string;
  code: string;
}

/**
 * Sets the password and two-factor of a new staff member, all together, and spends the link; returns the recovery
 * codes, which are shown only this once. Throws what `getSetup` throws, and `validation_failed` for a weak password, a
 * wrong code, or an invalid or taken address, which leave the link unspent.
 */
export async function completeSetup(
  context: ResetContext,
  tools: AccountTools,
  input: SetupInput,
): Promise<{ email: string; role: StaffRole; recoveryCodes: string[] }> {
  const setup = await getSetup(context.database, tools, input.token);
  const account = setup.account ?? newOwner(input);
  requireSoundPassword(input.password, account);
  const typed = parseCode(input.code);
  const timeStep = typed.kind === 'totp' ? findTimeStep(setup.secret, typed.digits, tools.clock.nowMs()) : undefined;
  if (timeStep === undefined) {
    throw refuse('code', 'wrong', 'The code is incorrect. Enter the current code from your authenticator app.');
  }
  const passwordHash = await tools.passwords.hash(input.password);
  return context.database.transaction(async (tx) => {
    const userId = await spendLink(tx, input.token);
    const user =
      userId === null
        ? await createFirstOwner(tx, tools, { ...account, passwordHash })
        : await setPassword(tx, tools, userId, passwordHash);
    await enableSecret(tx, tools, { userId: user.id, secret: setup.secret, timeStep });
    const recoveryCodes = await renewRecoveryCodes(tx, tools, user.id);
    await recordAudit(tx, actorWithoutToken(context, INSTALLATION, user.id), {
      action: 'staff.set_up',
      targetType: 'staff_member',
      targetId: user.id,
      after: { email: user.email, role: setup.role },
    });
    return { email: user.email, role: setup.role, recoveryCodes };
  });
}

function newOwner({ email: typed, name: typedName }: SetupInput): { email: string; name: string } {
  const email = parseEmail(typed);
  if (email === undefined) {
    throw refuse('email', 'format', 'Enter a valid email address.');
  }
  const name = typedName.trim();
  if (name === '' || name.length > MAX_NAME || /\p{Cc}/u.test(name)) {
    throw refuse('name', 'length', `The name must be 1 to ${MAX_NAME} characters long.`);
  }
  return { email, name };
}

const MAX_NAME = 100;

/** If several forms send the same link, one of them spends it; the others are rolled back. */
async function spendLink(tx: Queries, token: string): Promise<string | null> {
  const hash = hashToken(token);
  const link = await findSetupLink(tx, { hash });
  if (link === undefined || (await updateSetupLinkSpent(tx, { hash })) === 0) {
    throw setupLinkIsOver();
  }
  return link.user_id;
}

/** Anyone with the link of a new installation becomes its first owner, as long as there is no staff. */
async function createFirstOwner(
  tx: Queries,
  tools: AccountTools,
  account: { email: string; name: string; passwordHash: string },
) {
  if (await hasStaff(tx)) {
    throw setupLinkIsOver();
  }
  const { user } = await createAccount(tx, { ...account, organizationName: account.name });
  await insertStaffMember(tx, { userId: user.id, role: 'owner', createdBy: null });
  await sendVerification(tx, tools, user);
  return user;
}

/** The link came by mail, or from the operator, so the address is verified, as by a password reset. */
async function setPassword(tx: Queries, tools: AccountTools, userId: string, newHash: string) {
  await lockUserById(tx, { userId });
  const user = await findUserById(tx, { userId });
  const isOver =
    user === undefined ||
    (await findStaffMember(tx, { userId })) === undefined ||
    (await findTwoFactorSecret(tx, { userId }))?.is_enabled === true;
  if (isOver) {
    throw setupLinkIsOver();
  }
  await updateForgottenPassword(tx, { userId, newHash });
  await endAccessOfUser(tx, tools, userId);
  return user;
}

function refuse(field: string, reason: string, message: string) {
  return httpError('validation_failed', message, { details: { field, reason } });
}
