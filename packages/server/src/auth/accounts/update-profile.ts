import { actorOf } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, httpError, type Refusal, runEffect } from '../../http/index.ts';
import { updateMemberName } from '../../organizations/index.ts';
import { type AccountRow, avatarUrlOf, lockUserById, type ProfileRow, updateUserProfile } from '../../users/index.ts';
import { replaceCookie } from '../login-sessions/begin-login.ts';
import { recordAccountAudit } from '../record-account-audit.ts';
import { countAndRefuse } from '../two-factor/count-and-refuse.ts';
import type { AccountTools } from './account-tools.ts';
import { changePassword } from './change-password.ts';
import { type CheckedPasswordChange, checkPasswordChange } from './check-password-change.ts';
import { findCurrentUser } from './get-current-user.ts';
import { checkProfileInput } from './profile-rules.ts';
import type { ProfileInput } from './schemas.ts';

/** The dependencies of changing a profile. */
export type ProfileTools = Pick<
  AccountTools,
  'passwords' | 'throttle' | 'passwordChecks' | 'mailer' | 'baseUrl' | 'connectedApps' | 'lifetimes' | 'cookies'
>;

/** Changes a user's name, picture and password: everything in the input, or nothing. */
export async function updateProfile(
  context: AuthorizedContext,
  tools: ProfileTools,
  input: ProfileInput,
): Promise<Answer<unknown>> {
  const { passwordChange } = checkProfileInput(input);
  const owner = { userId: context.principal.userId, name: input.name?.trim() };
  const proof = passwordChange && (await checkPasswordChange(context.database, tools, owner, passwordChange));
  return runEffect(context, (tx) => writeChanges(tx, context, tools, input, proof));
}

async function writeChanges(
  tx: Queries,
  context: AuthorizedContext,
  tools: ProfileTools,
  input: ProfileInput,
  proof: CheckedPasswordChange | undefined,
): Promise<Answer<unknown> | Refusal> {
  const account = requireUser(await lockUserById(tx, { userId: context.principal.userId }));
  if (proof !== undefined && !(await changePassword(tx, context, tools, account, proof))) {
    return countAndRefuse(tx, account);
  }
  await writeNameAndAvatar(tx, context, tools, account, input);
  const data = requireUser(await findCurrentUser(tx, context.principal, tools.baseUrl));
  return proof === undefined ? { data } : { data, ...(await renewOwnCookie(tx, context, tools)) };
}

/**
 * The session that changes the password stays. A browser session gets a new secret, because the old one may have been
 * stolen.
 */
async function renewOwnCookie(
  tx: Queries,
  context: AuthorizedContext,
  tools: ProfileTools,
): Promise<Pick<Answer<unknown>, 'headers'>> {
  const { userId, tokenSourceId: loginSessionId, byCookie = false } = context.principal;
  return byCookie ? { headers: await replaceCookie(tx, context, tools, { userId, loginSessionId }) } : {};
}

async function writeNameAndAvatar(
  tx: Queries,
  context: AuthorizedContext,
  { baseUrl }: ProfileTools,
  { id, name, avatar_url }: AccountRow,
  input: ProfileInput,
): Promise<void> {
  const before = { name, avatar_url };
  const after = {
    name: input.name?.trim() ?? name,
    avatar_url: input.avatar_url === undefined ? avatar_url : chosenAvatar(input.avatar_url, baseUrl),
  };
  if (after.name === before.name && after.avatar_url === before.avatar_url) {
    return;
  }
  await updateUserProfile(tx, { userId: id, name: after.name, avatarUrl: after.avatar_url });
  if (after.name !== before.name) {
    await updateMemberName(tx, { userId: id, name: after.name });
  }
  await recordAccountAudit(tx, id, actorOf(context), {
    action: 'profile.updated',
    targetType: 'user',
    targetId: id,
    before: shown(before, baseUrl),
    after: shown(after, baseUrl),
  });
}

/** If a user without a picture sends back the default picture that the API shows, they still have none. */
function chosenAvatar(wanted: string | null, baseUrl: string): string | null {
  return wanted === avatarUrlOf(baseUrl, null) ? null : wanted;
}

/** What the API shows of it. */
function shown({ name, avatar_url: avatarUrl }: ProfileRow, baseUrl: string): { name: string; avatar_url: string } {
  return { name, avatar_url: avatarUrlOf(baseUrl, avatarUrl) };
}

/** The token was valid a moment ago, but its user has been deleted or has left the organization since. */
function requireUser<T>(found: T | undefined): T {
  if (found === undefined) {
    throw httpError('invalid_token', 'The user of this token is no longer a member of the organization.');
  }
  return found;
}
