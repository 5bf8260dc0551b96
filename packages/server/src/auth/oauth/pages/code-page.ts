import { html } from './html.ts';
import { field, layout, type PageSite } from './layout.ts';

/** The page that asks for the second factor. The challenge stands in the form, never in an address. */
export function codePage(
  site: PageSite,
  page: { action: string; challengeToken: string; alert?: string | undefined },
): string {
  return layout(site, {
    title: 'Enter your code',
    alert: page.alert,
    body: html`
<form method="post" action="${page.action}/code">
<input type="hidden" name="challenge_token" value="${page.challengeToken}">
${field({
  label: 'Code',
  name: 'code',
  type: 'text',
  autocomplete: 'one-time-code',
  hint: 'The six digits that your authenticator app shows, or one of your recovery codes.',
  isWrong: page.alert !== undefined,
})}
<button type="submit">Continue</button>
</form>
<form method="post" action="${page.action}/deny"><button type="submit" class="secondary">Cancel</button></form>`,
  });
}
