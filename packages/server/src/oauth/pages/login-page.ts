import { html } from './html.ts';
import { field, layout, type PageSite } from './layout.ts';

/** The page that asks for an account. */
export function loginPage(
  site: PageSite,
  page: { appName: string; action: string; email?: string | undefined; alert?: string | undefined },
): string {
  const isWrong = page.alert !== undefined;
  return layout(site, {
    title: 'Log in',
    alert: page.alert,
    body: html`
<p><strong>${page.appName}</strong> wants you to log in with your ${site.productName} account.</p>
<form method="post" action="${page.action}/login">
${field({ label: 'Email address', name: 'email', type: 'email', autocomplete: 'username', value: page.email, isWrong, inputmode: 'email' })}
${field({ label: 'Password', name: 'password', type: 'password', autocomplete: 'current-password', isWrong })}
<button type="submit">Log in</button>
</form>
<form method="post" action="${page.action}/deny"><button type="submit" class="secondary">Cancel</button></form>
<p><a href="${site.basePath}/forgot-password">Forgot your password?</a></p>`,
  });
}
