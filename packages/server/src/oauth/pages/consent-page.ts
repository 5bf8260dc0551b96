import { SCOPES, type Scope } from '../../http/index.ts';
import { type Html, html } from './html.ts';
import { layout, type PageSite } from './layout.ts';

/** An organization that an app may be granted access to. */
export interface OrganizationChoice {
  id: string;
  name: string;
}

/** Where the app gets access: at a redirect URI, or on a device that shows a code. */
export type Destination = { kind: 'address'; redirectUri: string } | { kind: 'device'; userCode: string };

/** The app and user of a consent request. */
export interface ConsentQuestion {
  action: string;
  app: { name: string; ownerName: string };
  destination: Destination;
  account: { name: string; email: string };
}

/** The page that asks a user with several organizations in which one an app may act. */
export function organizationPage(
  site: PageSite,
  question: ConsentQuestion & { organizations: readonly OrganizationChoice[] },
): string {
  const choices = question.organizations.map(
    ({ id, name }, place) =>
      html`<label class="choice"><input type="radio" name="organization_id" value="${id}" required${
        place === 0 && html` checked`
      }>${name}</label>`,
  );
  return layout(site, {
    title: `Choose an organization for ${question.app.name}`,
    body: html`
${introduction(question)}
<form method="get" action="${question.action}">
<fieldset><legend>Which organization should ${question.app.name} access?</legend>${choices}</fieldset>
<button type="submit">Continue</button>
</form>
${ways(question)}`,
  });
}

/** The page that asks for consent to each scope, in one organization. */
export function consentPage(
  site: PageSite,
  question: ConsentQuestion & {
    organization: OrganizationChoice;
    hasOthers: boolean;
    scopes: readonly Scope[];
    withheld: readonly Scope[];
    alert?: string | undefined;
  },
): string {
  const { action, app, organization, scopes, withheld } = question;
  return layout(site, {
    title: `Allow ${app.name} access?`,
    alert: question.alert,
    body: html`
${introduction(question)}
<dl><dt>Organization</dt><dd>${organization.name}</dd></dl>
${question.hasOthers && html`<p><a href="${action}">Choose another organization</a></p>`}
${scopes.length > 0 && html`<h2>This will allow the app to</h2><ul>${scopes.map(scopeLine)}</ul>`}
${withheld.length > 0 && html`<h2>The app also requested these permissions, which your role does not allow</h2><ul>${withheld.map(scopeLine)}</ul>`}
${
  scopes.length > 0 &&
  html`<form method="post" action="${action}/allow">
<input type="hidden" name="organization_id" value="${organization.id}">
<input type="hidden" name="scope" value="${scopes.join(' ')}">
<button type="submit">Allow</button>
</form>`
}
${ways(question)}`,
  });
}

/** The page for a user without an organization, who cannot grant anything. */
export function homelessPage(site: PageSite, question: ConsentQuestion): string {
  return layout(site, {
    title: `Allow ${question.app.name} access?`,
    alert: 'You are not a member of any organization, so there is nothing that the app could access.',
    body: html`${introduction(question)}${ways(question)}`,
  });
}

function introduction({ app, account, destination }: ConsentQuestion): Html {
  return html`<p><strong>${app.name}</strong> is requesting access to your account${
    destination.kind === 'address'
      ? html`. Afterward, you will be redirected to <strong>${hostOf(destination.redirectUri)}</strong>.</p>`
      : html` on a device that shows this code:</p>
<p><code class="device-code">${destination.userCode}</code></p>
<p>If you did not start this yourself on a device in front of you, choose “Deny”. Someone may be trying to access your account.</p>`
  }
<dl>
<dt>App developer</dt><dd>${app.ownerName}</dd>
<dt>Your account</dt><dd>${account.name} (${account.email})</dd>
</dl>`;
}

function ways({ action }: ConsentQuestion): Html {
  return html`<form method="post" action="${action}/deny"><button type="submit" class="secondary">Deny</button></form>
<form method="post" action="${action}/switch-account"><button type="submit" class="secondary">Use a different account</button></form>`;
}

function scopeLine(scope: Scope): Html {
  return html`<li>${SCOPES[scope]} <code>${scope}</code></li>`;
}

/** The destination as shown in the address bar. */
function hostOf(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  return url === null || url.host === '' ? redirectUri : url.host;
}
