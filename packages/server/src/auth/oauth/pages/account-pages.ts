import { type Html, html } from './html.ts';
import { field, layout, type PageSite } from './layout.ts';

/** What a form of these pages was answered: what was wrong, with what had been typed that is no secret. */
export interface FormState {
  alert?: string | undefined;
  email?: string | undefined;
}

/** Asks for the address of somebody who forgot their password. */
export function forgotPasswordPage(site: PageSite, { alert, email }: FormState = {}): string {
  return layout(site, {
    title: 'Forgotten password',
    alert,
    body: html`
<p>We will mail you a code with which you can set a new password.</p>
<form method="post" action="${site.basePath}/forgot-password">
${field({ label: 'E-mail address', name: 'email', type: 'email', autocomplete: 'username', value: email, isWrong: alert !== undefined, inputmode: 'email' })}
<button type="submit">Send the code</button>
</form>
<p><a href="${site.basePath}/reset-password">I have a code</a></p>`,
  });
}

/** Says the same whether there is such an account or not. */
export function mailUnderWayPage(site: PageSite): string {
  return done(
    site,
    'Look into your mail',
    html`
<p role="status">If there is an account with this address, a mail with a code is on its way.</p>
<p><a href="${site.basePath}/reset-password">Enter the code</a></p>`,
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
  hint: 'At least 10 characters. All your logins and connected apps will be logged out.',
  isWrong,
})}
<button type="submit">Set the password</button>
</form>
<p><a href="${site.basePath}/forgot-password">Mail me another code</a></p>`,
  });
}

/** The password was set. */
export function passwordSetPage(site: PageSite): string {
  return done(
    site,
    'Password set',
    html`<p role="status">Your new password holds from now on. You can close this page.</p>`,
  );
}

/** Asks for the code that was mailed to an address to verify it. */
export function verifyEmailPage(site: PageSite, { alert }: FormState = {}): string {
  return layout(site, {
    title: 'Verify your e-mail address',
    alert,
    body: html`
<form method="post" action="${site.basePath}/verify-email">
${codeField(alert !== undefined)}
<button type="submit">Verify</button>
</form>`,
  });
}

/** The address was verified. */
export function emailVerifiedPage(site: PageSite): string {
  return done(
    site,
    'Address verified',
    html`<p role="status">Your e-mail address is verified. You can close this page.</p>`,
  );
}

/** The field for a code that was mailed. */
export function codeField(isWrong: boolean): Html {
  const hint = 'Copy it from the mail; it begins with svc_.';
  return field({ label: 'Code', name: 'token', type: 'text', autocomplete: 'one-time-code', hint, isWrong });
}

function done(site: PageSite, title: string, body: Html): string {
  return layout(site, { title, body });
}
