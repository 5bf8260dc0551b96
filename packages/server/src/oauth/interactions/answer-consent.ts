import type Provider from 'oidc-provider';
import { actorWithoutToken, recordAudit } from '../../audit/index.ts';
import { type Exchange, scopesOfRole } from '../../http/index.ts';
import { listOrganizationsOfUser } from '../../organizations/index.ts';
import { hashToken } from '../../security/index.ts';
import { grantToApp } from '../grants/grant-to-app.ts';
import type { OauthTools } from '../oauth-tools.ts';
import type { FormOutcome } from './log-in-by-form.ts';
import { lockBrowserLogin } from './queries.ts';
import { interactionExpired, type PendingInteraction } from './require-interaction.ts';
import { accountOf, wantedScopes } from './show-interaction.ts';

/** Grants the app the scopes that it requests, the page showed, and the role in that organization allows. */
export async function allowApp(
  tools: OauthTools,
  pending: PendingInteraction,
  { exchange, form }: { exchange: Exchange; form: URLSearchParams },
): Promise<FormOutcome> {
  const { interaction, client } = pending;
  const userId = accountOf(pending);
  const organizationId = form.get('organization_id') ?? '';
  const shown = (form.get('scope') ?? '').split(' ');
  const grant = await tools.database.transaction(async (tx) => {
    // Locked, so that a password change either ends this login first, or finds the grant inserted here.
    if ((await lockBrowserLogin(tx, { userId, uidHash: hashToken(interaction.session?.uid ?? '') })) === 0) {
      throw interactionExpired();
    }
    const organization = (await listOrganizationsOfUser(tx, { userId })).find((each) => each.id === organizationId);
    const allowed = organization === undefined ? [] : scopesOfRole(organization.role);
    const scopes = wantedScopes(pending).filter((scope) => shown.includes(scope) && allowed.includes(scope));
    if (scopes.length === 0) {
      return undefined;
    }
    const written = await grantToApp(tx, { organizationId, userId, appId: client.id, scopes });
    if (written !== undefined) {
      await recordAudit(tx, actorWithoutToken(exchange, organizationId, userId), {
        action: 'oauth_grant.created',
        targetType: 'oauth_grant',
        targetId: written.id,
        after: { app_id: client.id, app_name: client.name, scopes: written.scopes },
      });
    }
    return written;
  });
  if (grant === undefined) {
    // The role, the membership or the app changed while the page was pending.
    return { location: pending.action };
  }
  interaction.result = { ...interaction.lastSubmission, consent: { grantId: grant.id } };
  await interaction.persist();
  return { location: interaction.returnTo };
}

/** Sends the user back to the app with access_denied; also from the login page. */
export async function denyApp({ interaction }: PendingInteraction): Promise<FormOutcome> {
  interaction.result = { error: 'access_denied', error_description: 'The user denied access.' };
  await interaction.persist();
  return { location: interaction.returnTo };
}

/** Ends the browser's login and starts the authorization again, so that another user can log in. */
export async function switchAccount(
  tools: OauthTools,
  provider: Provider,
  { interaction, destination }: PendingInteraction,
): Promise<FormOutcome> {
  if (interaction.session !== undefined) {
    await (await provider.Session.find(interaction.session.cookie))?.destroy();
  }
  await interaction.destroy();
  if (destination.kind === 'device') {
    return { location: `${tools.authUrl}/device?${new URLSearchParams({ user_code: destination.userCode })}` };
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(interaction.params)) {
    if (typeof value === 'string') {
      query.set(name, value);
    }
  }
  return { location: `${tools.authUrl}/authorize?${query}` };
}
