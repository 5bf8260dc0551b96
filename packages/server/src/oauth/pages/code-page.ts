import { type Html, html } from './html.ts';
import { field, layout, type PageSite } from './layout.ts';

/** The page that asks for the second factor. The challenge is in the form, never in an address. */
export function codePage(
  site: PageSite,
  page: { action: string; challengeToken: string; alert?: string | undefined },
): string {
  return layout(site, {
    title: 'Enter your code',
    alert: page.alert,
    body: html`
${codeForm({
  action: `${page.action}/code`,
  hidden: { challenge_token: page.challengeToken },
  isWrong: page.alert !== undefined,
})}
<form method="post" action="${page.action}/deny"><button type="submit" class="secondary">Cancel</button></form>`,
  });
}

/** The form for a code of the second factor, with the values to send back. */
export function codeForm(form: { action: string; hidden: Readonly<Record<string, string>>; isWrong: boolean }): Html {
  const hidden = Object.entries(form.hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return html`<form method="post" action="${form.action}">
${hidden}${field({
  label: 'Code',
  name: 'code',
  type: 'text',
  autocomplete: 'one-time-code',
  hint: 'The six-digit code from your authenticator app, or a recovery code.',
  isWrong: form.isWrong,
})}
<button type="submit">Continue</button>
</form>`;
}
