import { html } from './html.ts';
import { field, layout, type PageSite } from './layout.ts';

/** The fault of a typed code. */
export type DeviceFault = keyof typeof ALERTS;

/** Asks for the code that a device shows. `secret` has to be sent back with it. */
export function devicePage(
  site: PageSite,
  page: { secret: string; userCode: string | undefined; fault: DeviceFault | undefined },
): string {
  return layout(site, {
    title: 'Connect a device',
    alert: page.fault && ALERTS[page.fault],
    body: html`
<p>Enter the code that your app or device shows.</p>
<form method="post" action="${site.basePath}/device">
<input type="hidden" name="xsrf" value="${page.secret}">
<input type="hidden" name="confirm" value="yes">
${field({
  label: 'Code',
  name: 'user_code',
  type: 'text',
  autocomplete: 'off',
  hint: 'Eight letters, such as BCDF-GHJK.',
  value: page.userCode,
  isWrong: page.fault !== undefined,
  isCode: true,
})}
<button type="submit">Continue</button>
</form>
<p class="hint">Only enter a code from a device that you are using now. Never enter a code that someone sent you.</p>`,
  });
}

const ALERTS = {
  unknown_code: 'The code is incorrect. Check it and try again.',
  expired_code: 'The code has expired. Start again on your device to get a new one.',
  used_code: 'The code was already used. Start again on your device to get a new one.',
  unavailable_app: 'The app is no longer available.',
} as const;

/** The user allowed access, and the device continues by itself. */
export function deviceReadyPage(site: PageSite, appName: string): string {
  return layout(site, {
    title: 'Device connected',
    body: html`<p role="status"><strong>${appName}</strong> now has access. You can close this page and return to your device.</p>`,
  });
}

/** The user denied access. */
export function deviceDeniedPage(site: PageSite): string {
  return layout(site, {
    title: 'Access denied',
    body: html`
<p role="status">The device does not have access. You can close this page.</p>
<p><a href="${site.basePath}/device">Enter another code</a></p>`,
  });
}

/** The request did not come from a form of this browser, or the form has expired. */
export function deviceExpiredPage(site: PageSite): string {
  return layout(site, {
    title: 'Connect a device',
    alert: 'The page has expired.',
    body: html`<p><a href="${site.basePath}/device">Enter the code again</a></p>`,
  });
}
