import type { RequestContext } from '../../http/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { createAccount } from './create-account.ts';
import { deviceOf, openLoginSession } from './open-login-session.ts';
import { checkRegistration } from './registration-rules.ts';
import type { LoginResult, Registration } from './schemas.ts';

/** Registers a user, with an organization of the same name, and logs them in. The account and the login exist together. */
export async function registerUser(
  context: RequestContext,
  tools: LoginTools,
  input: Registration,
): Promise<LoginResult> {
  const { email, name, password } = checkRegistration(input);
  // Hashed before the transaction begins: a connection that waits for the processor is one too few for the others.
  const passwordHash = await tools.passwords.hash(password);
  return context.database.transaction(async (tx) => {
    const { user, membership } = await createAccount(tx, { email, name, passwordHash, organizationName: name });
    const login = { userId: user.id, organizationId: membership.organization_id };
    return { user, ...(await openLoginSession(tx, login, deviceOf(context), tools.lifetimes)) };
  });
}
