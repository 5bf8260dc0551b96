import { actorOf } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, httpError, type Refusal, runEffect } from '../../http/index.ts';
import { renameMember } from '../../organizations/index.ts';
import {
  type AccountRow,
  avatarUrlOf,
  lockUserById,
  type ProfileRow,
  updateProfile as writeProfile,
} from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { findCurrentUser } from '../login-sessions/get-current-user.ts';
import { recordAccountAudit } from '../record-account-audit.ts';
import { countedRefusal } from '../two-factor/counted-refusal.ts';
import { changePassword } from './change-password.ts';
import { checkProfileInput } from './profile-rules.ts';
import { type PasswordProof, provePassword } from './prove-password.ts';
import type { ProfileInput } from './schemas.ts';

/** What changing a profile needs besides the request. */
export type ProfileTools = Pick<LoginTools, 'passwords' | 'pace' | 'ownPasswordTurns' | 'mailer' | 'baseUrl'>;

/** Changes what a user is called, looks like and logs in with: all of what was asked for, or nothing. */
export async function updateProfile(
  context: AuthorizedContext,
  tools: ProfileTools,
  input: ProfileInput,
): Promise<Answer<unknown>> {
  const { passwordWish } = checkProfileInput(input);
  const owner = { userId: context.principal.userId, name: input.name?.trim() };
  const proof = passwordWish && (await provePassword(context.database, tools, owner, passwordWish));
  return runEffect(context, (tx) => writeChanges(tx, context, tools, input, proof));
}

async function writeChanges(
  tx: Queries,
  context: AuthorizedContext,
  tools: ProfileTools,
  input: ProfileInput,
  proof: PasswordProof | undefined,
): Promise<Answer<unknown> | Refusal> {
  const account = requireUser(await lockUserById(tx, context.principal.userId));
  if (proof !== undefined && !(await changePassword(tx, context, tools.mailer, account, proof))) {
    return countedRefusal(tx, account);
  }
  await writeNameAndAvatar(tx, context, tools, account, input);
  return { data: requireUser(await findCurrentUser(tx, context.principal, tools.baseUrl)) };
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
  await writeProfile(tx, id, after);
  if (after.name !== before.name) {
    await renameMember(tx, id, after.name);
  }
  await recordAccountAudit(tx, id, actorOf(context), {
    action: 'profile.updated',
    targetType: 'user',
    targetId: id,
    before: shown(before, baseUrl),
    after: shown(after, baseUrl),
  });
}

/** Whoever sends back what the API shows of a user without a picture still has none. */
function chosenAvatar(wanted: string | null, baseUrl: string): string | null {
  return wanted === avatarUrlOf(baseUrl, null) ? null : wanted;
}

/** What the API shows of it. */
function shown({ name, avatar_url: avatarUrl }: ProfileRow, baseUrl: string): { name: string; avatar_url: string } {
  return { name, avatar_url: avatarUrlOf(baseUrl, avatarUrl) };
}

/** The token was good a moment ago; whose it was is gone since, or has left the organization. */
function requireUser<T>(found: T | undefined): T {
  if (found === undefined) {
    throw httpError('invalid_token', 'The user of this token is no member of the organization any more.');
  }
  return found;
}
