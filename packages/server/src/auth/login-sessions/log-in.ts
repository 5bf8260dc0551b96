import type { Queries } from '../../database/index.ts';
import { httpError, type RequestContext } from '../../http/index.ts';
import { findFirstMembership } from '../../organizations/index.ts';
import { countWrongPassword, findUserByEmail, parseEmail, recordLogin, type UserForLogin } from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { invalidCredentials } from '../errors.ts';
import { deviceOf, openLoginSession } from './open-login-session.ts';
import type { Credentials, LoginResult } from './schemas.ts';

/**
 * Logs a user in. An unknown address, a wrong password and a locked account do the same work and get the same answer,
 * so that neither text nor time tells which it was.
 */
export async function logIn(context: RequestContext, tools: LoginTools, input: Credentials): Promise<LoginResult> {
  const { database } = context;
  // No account has the empty address: what is no address at all takes the way of an unknown one.
  const email = parseEmail(input.email) ?? '';
  const user = await findUserByEmail(database, email);
  const matches = await tools.passwords.verify(user?.password_hash, input.password);
  if (user === undefined || !matches) {
    await countWrongPassword(database, email);
    throw invalidCredentials();
  }
  const newHash = await rehashIfOutdated(tools, user, input.password);
  return database.transaction(async (tx) => {
    if (!(await recordLogin(tx, user.id, user.password_hash, newHash))) {
      throw invalidCredentials();
    }
    const organizationId = await findStartingOrganization(tx, user.id);
    const tokens = await openLoginSession(tx, { userId: user.id, organizationId }, deviceOf(context), tools.lifetimes);
    return { user: { id: user.id, email: user.email, name: user.name }, ...tokens };
  });
}

/** Only a login has the password at hand: the one moment at which a hash can follow stronger parameters. */
async function rehashIfOutdated(
  { passwords }: LoginTools,
  user: UserForLogin,
  password: string,
): Promise<string | undefined> {
  return passwords.isOutdated(user.password_hash) ? passwords.hash(password) : undefined;
}

async function findStartingOrganization(tx: Queries, userId: string): Promise<string> {
  const membership = await findFirstMembership(tx, userId);
  if (membership === undefined) {
    throw httpError('forbidden', 'This account is a member of no organization any more.', { details: {} });
  }
  return membership.organization_id;
}
