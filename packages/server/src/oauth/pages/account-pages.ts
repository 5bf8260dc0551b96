import { type Html, html } from './html.ts';
import { field, layout, type PageSite, wayOn } from './layout.ts';

/** The state of a form after an error: the message, and the typed values that are not secret. */
export interface FormState {
  alert?: string | undefined;
  email?: string | undefined;
  /** The code from the link to the page. */
  token?: string | undefined;
}

/** Asks for the address of a user who forgot their password. */
export function forgotPasswordPage(site: PageSite, { alert, email }: FormState = {}): string {
  return layout(site, {
    title: 'Reset your password',
    alert,
    body: html`
<p>We will email you a code to set a new password.</p>
<form method="post" action="${site.basePath}/forgot-password">
${field({ label: 'Email address', name: 'email', type: 'email', autocomplete: 'username', value: email, isWrong: alert !== undefined, inputmode: 'email' })}
<button type="submit">Send code</button>
</form>
<p><a href="${site.basePath}/reset-password">I already have a code</a></p>`,
  });
}

/** Shows the same text whether the account exists or not. */
export function mailUnderWayPage(site: PageSite): string {
  return done(
    site,
    'Check your email',
    html`
<p role="status">If an account with this address exists, we have sent a code to it.</p>
<p><a href="${site.basePath}/reset-password">Enter code</a></p>`,
  );
}

/** Asks for the mailed code and a new password. */
export function resetPasswordPage(site: PageSite, { alert }: FormState = {}): string {
  const isWrong = alert !== undefined;
  return layout(site, {
    title: 'Set a new password',
    alert,
    body: html`
<form method="post" action="${site.basePath}/reset-password">
${codeField(isWrong)}
${field({
  label: 'New password',
  name: 'password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 10 characters. You will be logged out everywhere, and all connected apps will be disconnected.',
  isWrong,
})}
<button type="submit">Set password</button>
</form>
<p><a href="${site.basePath}/forgot-password">Send a new code</a></p>`,
  });
}

/** The password was set. */
export function passwordSetPage(site: PageSite): string {
  return done(
    site,
    'Password changed',
    html`<p role="status">Your password was changed. Log in with your new password.</p>${wayOn(site, { label: 'Log in', path: '/login' })}`,
  );
}

/** Asks for the mailed code that verifies an address, or only for a click if the link contained the code. */
export function verifyEmailPage(site: PageSite, { alert, token }: FormState = {}): string {
  return layout(site, {
    title: 'Verify your email address',
    alert,
    body: html`
${token !== undefined && html`<p>Confirm that this is your email address.</p>`}
<form method="post" action="${site.basePath}/verify-email">
${token === undefined ? codeField(alert !== undefined) : html`<input type="hidden" name="token" value="${token}">`}
<button type="submit">Verify email address</button>
</form>`,
  });
}

/** The address was verified. */
export function emailVerifiedPage(site: PageSite): string {
  return done(
    site,
    'Email address verified',
    html`<p role="status">Your email address is verified.</p>${wayOn(site, { label: 'Go to the dashboard', path: '/' })}`,
  );
}

/** The field for a mailed code. */
export function codeField(isWrong: boolean): Html {
  const hint = 'Copy the code from the email. It starts with svc_.';
  return field({ label: 'Code', name: 'token', type: 'text', autocomplete: 'one-time-code', hint, isWrong });
}

function done(site: PageSite, title: string, body: Html): string {
  return layout(site, { title, body });
}
