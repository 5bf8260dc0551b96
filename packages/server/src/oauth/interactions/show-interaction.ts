import { httpError, isScope, type Scope, scopesOfRole } from '../../http/index.ts';
import { listOrganizationsOfUser } from '../../organizations/index.ts';
import { findUserById } from '../../users/index.ts';
import type { OauthTools } from '../oauth-tools.ts';
import { type ConsentQuestion, consentPage, homelessPage, organizationPage } from '../pages/consent-page.ts';
import type { PageSite } from '../pages/layout.ts';
import { loginPage } from '../pages/login-page.ts';

import { interactionExpired, type PendingInteraction } from './require-interaction.ts';

/** The current page of an authorization: login or consent. `organizationId` is the one chosen on the page before. */
export async function showInteraction(
  tools: Pick<OauthTools, 'database'>,
  site: PageSite,
  pending: PendingInteraction,
  organizationId: string | undefined,
): Promise<string> {
  const { interaction, client, action } = pending;
  if (interaction.prompt.name === 'login') {
    const hint = interaction.params.login_hint;
    const email = typeof hint === 'string' && hint.length <= MAX_HINT ? hint : undefined;
    return loginPage(site, { appName: client.name, action, email });
  }
  const user = await findUserById(tools.database, { userId: accountOf(pending) });
  if (user === undefined) {
    throw interactionExpired();
  }
  const question: ConsentQuestion = {
    action,
    app: { name: client.name, ownerName: client.organizationName },
    destination: pending.destination,
    account: { name: user.name, email: user.email },
  };
  const organizations = await listOrganizationsOfUser(tools.database, { userId: user.id });
  const [first] = organizations;
  if (first === undefined) {
    return homelessPage(site, question);
  }
  const chosen = organizations.length === 1 ? first : organizations.find((each) => each.id === organizationId);
  if (chosen === undefined) {
    if (organizationId !== undefined) {
      throw httpError('not_found', 'No such organization.', { details: { resource: 'organization' } });
    }
    return organizationPage(site, { ...question, organizations });
  }
  const wanted = wantedScopes(pending);
  const allowed = scopesOfRole(chosen.role);
  return consentPage(site, {
    ...question,
    organization: chosen,
    hasOthers: organizations.length > 1,
    scopes: wanted.filter((scope) => allowed.includes(scope)),
    withheld: wanted.filter((scope) => !allowed.includes(scope)),
  });
}

const MAX_HINT = 320;

/** The user whose consent is requested. */
export function accountOf({ interaction }: PendingInteraction): string {
  const accountId = interaction.session?.accountId;
  if (interaction.prompt.name !== 'consent' || accountId === undefined) {
    throw interactionExpired();
  }
  return accountId;
}

/** The scopes that the app requests and is allowed. */
export function wantedScopes({ interaction, client }: PendingInteraction): Scope[] {
  const { scope } = interaction.params;
  const wanted = typeof scope === 'string' ? scope.split(' ') : [];
  return wanted.filter(isScope).filter((each) => client.scopes.includes(each));
}
