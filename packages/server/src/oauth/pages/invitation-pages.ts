import { codeField, type FormState } from './account-pages.ts';
import { codeForm } from './code-page.ts';
import { type Html, html } from './html.ts';
import { field, layout, type PageSite, wayOn } from './layout.ts';

/** The state of the form of an invitation. */
interface InvitationFormState extends FormState {
  /** Whether the alert is about the invitation; otherwise it is about the account. */
  isAboutInvitation?: boolean;
}

/** Asks the invited user for the code of the mail and for the account that accepts. */
export function acceptInvitationPage(site: PageSite, state: InvitationFormState = {}): string {
  const { alert, email, isAboutInvitation = false } = state;
  const isWrong = alert !== undefined;
  const isAccountWrong = isWrong && !isAboutInvitation;
  return layout(site, {
    title: 'Accept your invitation',
    alert,
    body: html`
<p>Log in with the email address that was invited. If you do not have an account yet,
<a href="${site.dashboardUrl}/accept-invitation">create one and join</a>.</p>
<form method="post" action="${site.basePath}/accept-invitation">
${codeField(isWrong && isAboutInvitation)}
${field({ label: 'Email address', name: 'email', type: 'email', autocomplete: 'username', value: email, isWrong: isAccountWrong, inputmode: 'email' })}
${field({ label: 'Password', name: 'password', type: 'password', autocomplete: 'current-password', isWrong: isAccountWrong })}
<button type="submit">Accept</button>
</form>
<p><a href="${site.basePath}/forgot-password">Forgot your password?</a></p>`,
  });
}

/** Asks for the second factor. Earlier input is in the form, never in a URL. */
export function invitationCodePage(
  site: PageSite,
  page: { challengeToken: string; invitationToken: string; email: string; alert?: string | undefined },
): string {
  const { challengeToken, invitationToken, email, alert } = page;
  return layout(site, {
    title: 'Enter your code',
    alert,
    body: html`
${codeForm({
  action: `${site.basePath}/accept-invitation/code`,
  hidden: { challenge_token: challengeToken, token: invitationToken, email },
  isWrong: alert !== undefined,
})}
<p><a href="${site.basePath}/accept-invitation">Start again</a></p>`,
  });
}

/** The invitation was accepted. */
export function invitationAcceptedPage(site: PageSite, organization: { name: string; role: string }): string {
  const body: Html = html`
<p role="status">You are now a member of <strong>${organization.name}</strong> with the role
<strong>${organization.role}</strong>.</p>${wayOn(site, { label: 'Go to the dashboard', path: '/' })}`;
  return layout(site, { title: 'Invitation accepted', body });
}
