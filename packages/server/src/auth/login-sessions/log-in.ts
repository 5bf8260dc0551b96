import type { Queries } from '../../database/index.ts';
import type { Answer, RequestContext } from '../../http/index.ts';
import { createOrganization, findFirstMembership } from '../../organizations/index.ts';
import type { UserSummary } from '../../users/index.ts';
import { authenticate, authenticateByCode } from './authenticate.ts';
import type { OnLogin } from './authentication.ts';
import { beginLogin, parseTransport } from './begin-login.ts';
import type { LoginTools } from './login-tools.ts';
import { noteLogin } from './note-login.ts';
import type { CompletedLogin, Credentials, LoginAnswer } from './schemas.ts';

/** Logs a user in by email address and password, or requires the second factor. Throws `invalid_credentials`. */
export async function logIn(
  context: RequestContext,
  tools: LoginTools,
  input: Credentials,
): Promise<Answer<LoginAnswer>> {
  parseTransport(context, tools);
  const outcome = await authenticate(context, tools, input, completeLogin(context, tools));
  return outcome.kind === 'done'
    ? outcome.result
    : {
        data: {
          status: 'two_factor_required',
          requires_2fa: true,
          challenge_token: outcome.challengeToken,
          method: 'totp',
        },
      };
}

/** Completes a login by the second factor. Throws what `authenticateByCode` throws. */
export async function logInByCode(
  context: RequestContext,
  tools: LoginTools,
  input: { challenge_token: string; code: string },
): Promise<Answer<CompletedLogin>> {
  parseTransport(context, tools);
  const answer = { challengeToken: input.challenge_token, code: input.code };
  return authenticateByCode(context, tools, answer, completeLogin(context, tools));
}

function completeLogin(context: RequestContext, tools: LoginTools): OnLogin<Answer<CompletedLogin>> {
  return async (tx, user, method) => {
    const organizationId = await findStartingOrganization(tx, user);
    const login = { user, organizationId, passedTwoFactor: method !== 'password' };
    const answer = await beginLogin(tx, context, tools, login);
    await noteLogin(tx, context, user.id, { method });
    return answer;
  };
}

/**
 * The organization that a login begins in. A user who has left their last one gets a new one, as at registration: an
 * account without any could do nothing, not even create one. The caller holds the user's row, so that two logins do not
 * make two.
 */
export async function findStartingOrganization(tx: Queries, user: UserSummary): Promise<string> {
  const membership =
    (await findFirstMembership(tx, { userId: user.id })) ?? (await createOrganization(tx, user.name, user));
  return membership.organization_id;
}
