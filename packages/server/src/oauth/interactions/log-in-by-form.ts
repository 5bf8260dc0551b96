import type Provider from 'oidc-provider';
import {
  authenticate,
  authenticateByCode,
  findStartingOrganization,
  type LoginContext,
  noteLogin,
  type OnLogin,
} from '../../auth/index.ts';
import type { Exchange } from '../../http/index.ts';
import type { OauthTools } from '../oauth-tools.ts';
import { codePage } from '../pages/code-page.ts';
import type { PageSite } from '../pages/layout.ts';
import { loginPage } from '../pages/login-page.ts';
import { isChallengeOver, isLoginRefusal, LOGIN_ALERTS } from './login-alerts.ts';
import { findDatabaseSeconds } from './queries.ts';
import type { PendingInteraction } from './require-interaction.ts';
import { typedAddress } from './typed-address.ts';

/** The user who logged in, and the time in seconds since 1970, as in the library. */
interface ProvedLogin {
  accountId: string;
  ts: number;
}

/** The outcome of a form: a redirect, or a page with the error. */
export type FormOutcome = { location: string } | { page: string; status: number };

/** Handles the form of the login page. */
export async function logInByForm(
  tools: OauthTools,
  provider: Provider,
  site: PageSite,
  pending: PendingInteraction,
  { exchange, form }: { exchange: Exchange; form: URLSearchParams },
): Promise<FormOutcome> {
  if (pending.interaction.prompt.name !== 'login') {
    return { location: pending.action };
  }
  const credentials = { email: typedAddress(form), password: form.get('password') ?? '' };
  const context = loginContext(tools, exchange);
  try {
    const outcome = await authenticate(context, tools.login, credentials, recordLogin(context));
    return outcome.kind === 'done'
      ? { location: await resumeAuthorization(provider, pending, outcome.result) }
      : { page: codePage(site, { action: pending.action, challengeToken: outcome.challengeToken }), status: 200 };
  } catch (error) {
    if (isLoginRefusal(error)) {
      const { action, client } = pending;
      const alert = LOGIN_ALERTS.wrongPassword;
      return { page: loginPage(site, { appName: client.name, action, email: credentials.email, alert }), status: 400 };
    }
    throw error;
  }
}

/** Handles the form of the page for the second factor. */
export async function logInByCodeForm(
  tools: OauthTools,
  provider: Provider,
  site: PageSite,
  pending: PendingInteraction,
  { exchange, form }: { exchange: Exchange; form: URLSearchParams },
): Promise<FormOutcome> {
  if (pending.interaction.prompt.name !== 'login') {
    return { location: pending.action };
  }
  const challengeToken = form.get('challenge_token') ?? '';
  const context = loginContext(tools, exchange);
  try {
    const answer = { challengeToken, code: (form.get('code') ?? '').trim() };
    const login = await authenticateByCode(context, tools.login, answer, recordLogin(context));
    return { location: await resumeAuthorization(provider, pending, login) };
  } catch (error) {
    if (isLoginRefusal(error)) {
      return {
        page: codePage(site, { action: pending.action, challengeToken, alert: LOGIN_ALERTS.wrongCode }),
        status: 400,
      };
    }
    if (isChallengeOver(error)) {
      const { action, client } = pending;
      const alert = LOGIN_ALERTS.challengeOver;
      return { page: loginPage(site, { appName: client.name, action, alert }), status: 400 };
    }
    throw error;
  }
}

function loginContext({ database }: OauthTools, { clientAddress, requestId }: Exchange): LoginContext {
  return { database, clientAddress, requestId };
}

/** Records a complete login in the audit logs; a user who has left their last organization first gets a new one. */
function recordLogin(context: LoginContext): OnLogin<ProvedLogin> {
  return async (tx, user, proof) => {
    await findStartingOrganization(tx, user);
    await noteLogin(tx, context, user.id, { method: proof, via: 'oauth' });
    // Read while the user's row is locked, so that a password change is entirely before or after it.
    return { accountId: user.id, ts: (await findDatabaseSeconds(tx)).seconds };
  };
}

/**
 * Passes the login to the library. If the browser was logged in as another user, that login ends first: otherwise, the
 * library would ask to end it on its own page.
 */
async function resumeAuthorization(
  provider: Provider,
  { interaction }: PendingInteraction,
  login: ProvedLogin,
): Promise<string> {
  const { session } = interaction;
  if (session !== undefined && session.accountId !== login.accountId) {
    await (await provider.Session.find(session.cookie))?.destroy();
    interaction.session = undefined;
  }
  interaction.result = { login: { ...login } };
  await interaction.persist();
  return interaction.returnTo;
}
