import { encode } from 'uqr';
import type { Setup } from '../../auth/index.ts';
import { codeField } from './account-pages.ts';
import { type Html, html } from './html.ts';
import { field, layout, type PageSite, wayOn } from './layout.ts';

/** The typed values that are not secret, and their error. */
interface FormState {
  alert?: string | undefined;
  email?: string | undefined;
  name?: string | undefined;
}

/** Asks for the code of the link, for those who open the page without it. */
export function staffCodePage(site: PageSite, alert?: string): string {
  return layout(site, {
    title: 'Set up your staff account',
    alert,
    body: html`
<form method="get" action="${site.basePath}/staff-setup">
${codeField(alert !== undefined)}
<button type="submit">Continue</button>
</form>`,
  });
}

/** Asks a new staff member for a password and two-factor, on one form. */
export function staffSetupPage(site: PageSite, setup: Setup, token: string, state: FormState = {}): string {
  const { account, role, secret } = setup;
  const isWrong = state.alert !== undefined;
  return layout(site, {
    title: account === undefined ? 'Set up the first owner' : 'Set up your staff account',
    alert: state.alert,
    body: html`
<form method="post" action="${site.basePath}/staff-setup">
<input type="hidden" name="token" value="${token}">
${
  account === undefined
    ? html`<p>This is a new installation. Create the account that manages it.</p>
${field({ label: 'Your name', name: 'name', type: 'text', autocomplete: 'name', value: state.name, isWrong })}
${field({ label: 'Email address', name: 'email', type: 'email', autocomplete: 'username', value: state.email, isWrong, inputmode: 'email' })}`
    : html`<dl><dt>Your account</dt><dd>${account.email}</dd><dt>Staff role</dt><dd>${role}</dd></dl>`
}
${field({ label: 'New password', name: 'password', type: 'password', autocomplete: 'new-password', hint: 'At least 10 characters.', isWrong })}
<h2>Two-factor authentication</h2>
<p>Scan this with your authenticator app, or enter the key by hand.</p>
${qrCode(setup.otpauthUrl)}
<p>Key: <code>${secret.match(/.{1,4}/g)?.join(' ') ?? ''}</code></p>
${field({
  label: 'Code',
  name: 'code',
  type: 'text',
  autocomplete: 'one-time-code',
  hint: 'The six-digit code that the app shows now.',
  isWrong,
  inputmode: 'numeric',
})}
<button type="submit">Finish setup</button>
</form>`,
  });
}

/** The recovery codes, which are shown only this once. */
export function staffReadyPage(
  site: PageSite,
  { email, role, recoveryCodes }: { email: string; role: string; recoveryCodes: readonly string[] },
): string {
  return layout(site, {
    title: 'Your account is ready',
    body: html`
<p role="status">You can log in as <strong>${email}</strong>, with the staff role <strong>${role}</strong>.</p>
<h2>Recovery codes</h2>
<p>Keep these codes in a safe place. Each one works once instead of a code from your authenticator app. They are shown only this once.</p>
<ul class="codes">${recoveryCodes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
${wayOn(site, { label: 'Log in', path: '/login?next=%2Fstaff' })}`,
  });
}

/**
 * A QR code as inline SVG: the page's Content-Security-Policy would refuse to load an image. Always dark on white, with
 * the quiet zone of ISO/IEC 18004, because some apps cannot read it otherwise.
 */
function qrCode(text: string): Html {
  const { data, size } = encode(text, { border: 4, ecc: 'M' });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return html`<p class="qr"><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="220" height="220" role="img" aria-label="QR code with the key below" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#ffffff"/><path d="${path}" fill="#000000"/></svg></p>`;
}
