import { actorWithoutToken } from '../../audit/index.ts';
import {
  authenticate,
  authenticateByCode,
  findStartingOrganization,
  type LoginContext,
  noteLogin,
  type OnLogin,
} from '../../auth/index.ts';
import type { Queries } from '../../database/index.ts';
import { ApiError, type Exchange } from '../../http/index.ts';
import { joinByInvitation } from '../../organizations/index.ts';
import { isChallengeOver, isLoginRefusal, LOGIN_ALERTS } from '../interactions/login-alerts.ts';
import { typedAddress } from '../interactions/typed-address.ts';
import type { OauthTools } from '../oauth-tools.ts';
import { acceptInvitationPage, invitationAcceptedPage, invitationCodePage } from '../pages/invitation-pages.ts';
import type { PageSite } from '../pages/layout.ts';
import type { PageAnswer } from './send-page.ts';

/** A submitted form, and the dependencies of its page. */
export interface ArrivedForm {
  tools: OauthTools;
  site: PageSite;
  exchange: Exchange;
  form: URLSearchParams;
}

/** Handles the form of the invitation: logs in, accepts in the same transaction, and creates no session. */
export async function acceptByPassword(arrived: ArrivedForm): Promise<PageAnswer> {
  const { tools, site, form } = arrived;
  const { token, email } = typedIn(form);
  const credentials = { email, password: form.get('password') ?? '' };
  const context = contextOf(arrived);
  try {
    const outcome = await authenticate(context, tools.login, credentials, acceptOnLogin(context, tools, token));
    if (outcome.kind === 'done') {
      return answerTo(site, outcome.result, email);
    }
    const { challengeToken } = outcome;
    return { status: 200, page: invitationCodePage(site, { challengeToken, invitationToken: token, email }) };
  } catch (error) {
    if (isLoginRefusal(error)) {
      return { status: 400, page: acceptInvitationPage(site, { alert: LOGIN_ALERTS.wrongPassword, email }) };
    }
    throw error;
  }
}

/** Handles the form of the page for the second factor. */
export async function acceptByCode(arrived: ArrivedForm): Promise<PageAnswer> {
  const { tools, site, form } = arrived;
  const { token, email } = typedIn(form);
  const challengeToken = (form.get('challenge_token') ?? '').slice(0, MAX_FIELD);
  const answer = { challengeToken, code: (form.get('code') ?? '').trim() };
  const context = contextOf(arrived);
  try {
    const outcome = await authenticateByCode(context, tools.login, answer, acceptOnLogin(context, tools, token));
    return answerTo(site, outcome, email);
  } catch (error) {
    if (isLoginRefusal(error)) {
      const again = { challengeToken, invitationToken: token, email, alert: LOGIN_ALERTS.wrongCode };
      return { status: 400, page: invitationCodePage(site, again) };
    }
    if (isChallengeOver(error)) {
      return { status: 400, page: acceptInvitationPage(site, { alert: LOGIN_ALERTS.challengeOver, email }) };
    }
    throw error;
  }
}

/** Joined, or the error that the page shows. */
type Joining = { kind: 'joined'; organization: { name: string; role: string } } | { kind: 'refused'; error: ApiError };

/**
 * Accepts the invitation for the user who logged in. A refusal is returned and not thrown: the login was complete, so
 * its code of the second factor stays spent.
 */
function acceptOnLogin(context: LoginContext, tools: OauthTools, token: string): OnLogin<Joining> {
  return async (tx, user, method) => {
    const actorIn = (organizationId: string) => actorWithoutToken(context, organizationId, user.id);
    const joining = await join(tx, tools, { userId: user.id, token, actorIn });
    // After accepting, so that a user without an organization starts in the one that they joined.
    await findStartingOrganization(tx, user);
    await noteLogin(tx, context, user.id, { method, via: 'invitation' });
    return joining;
  };
}

/** A refusal comes before anything is written, so the transaction continues. */
async function join(
  tx: Queries,
  tools: OauthTools,
  acceptance: Parameters<typeof joinByInvitation>[2],
): Promise<Joining> {
  try {
    return { kind: 'joined', organization: await joinByInvitation(tx, tools, acceptance) };
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.has(error.code)) {
      return { kind: 'refused', error };
    }
    throw error;
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['invalid_token', 'token_expired', 'forbidden', 'conflict']);

function answerTo(site: PageSite, joining: Joining, email: string): PageAnswer {
  if (joining.kind === 'joined') {
    return { status: 200, page: invitationAcceptedPage(site, joining.organization) };
  }
  const { code, message: alert } = joining.error;
  const isAboutInvitation = code !== 'forbidden';
  return { status: 400, page: acceptInvitationPage(site, { alert, email, isAboutInvitation }) };
}

const MAX_FIELD = 512;

/** Codes are copied from mails, often with surrounding spaces. */
function typedIn(form: URLSearchParams): { token: string; email: string } {
  return { token: (form.get('token') ?? '').trim().slice(0, MAX_FIELD), email: typedAddress(form) };
}

function contextOf({ tools: { database }, exchange: { clientAddress, requestId } }: ArrivedForm): LoginContext {
  return { database, clientAddress, requestId };
}
