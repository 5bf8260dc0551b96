import { actorWithoutToken, recordAudit } from '../../audit/index.ts';
import type { Answer, RequestContext } from '../../http/index.ts';
import { updateLastLogin } from '../../users/index.ts';
import { beginLogin, parseTransport } from '../login-sessions/begin-login.ts';
import type { CompletedLogin } from '../login-sessions/schemas.ts';
import type { AccountTools } from './account-tools.ts';
import { createAccount } from './create-account.ts';
import { checkRegistration } from './registration-rules.ts';
import type { Registration } from './schemas.ts';
import { sendVerification } from './send-verification.ts';

/**
 * Registers a user, with an organization of the same name, mails them a verification code, and logs them in. Account
 * and login are created together.
 */
export async function registerUser(
  context: RequestContext,
  tools: AccountTools,
  input: Registration,
): Promise<Answer<CompletedLogin>> {
  parseTransport(context, tools);
  const { email, name, password } = checkRegistration(input);
  // Hashed before the transaction begins, so that no connection is held while waiting for the CPU.
  const passwordHash = await tools.passwords.hash(password);
  return context.database.transaction(async (tx) => {
    const { user, membership } = await createAccount(tx, { email, name, passwordHash, organizationName: name });
    await sendVerification(tx, tools, user);
    const organizationId = membership.organization_id;
    await recordAudit(tx, actorWithoutToken(context, organizationId, user.id), {
      action: 'user.registered',
      targetType: 'user',
      targetId: user.id,
      after: { ...user },
    });
    await updateLastLogin(tx, { userId: user.id });
    return beginLogin(tx, context, tools, { user, organizationId });
  });
}
