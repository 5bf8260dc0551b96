import { html } from './html.ts';
import { layout, type PageSite } from './layout.ts';

/** The page for a failed request whose error must not be sent to an app. */
export function errorPage(
  site: PageSite,
  error: { code: string; description?: string | undefined; requestId?: string },
): string {
  return layout(site, {
    title: 'Something went wrong',
    alert: WORDS[error.code] ?? 'The login request is invalid.',
    body: html`
<p>Go back to the app that sent you here and try again. If the problem persists, send these details to the developer of the app:</p>
<dl>
<dt>Error</dt><dd><code>${error.code}</code></dd>
${error.description !== undefined && html`<dt>Description</dt><dd>${error.description}</dd>`}
${error.requestId !== undefined && html`<dt>Request ID</dt><dd><code>${error.requestId}</code></dd>`}
</dl>`,
  });
}

const WORDS: Readonly<Record<string, string>> = {
  invalid_client: 'The app that sent you here is not registered.',
  invalid_redirect_uri: 'The app asked us to redirect you to an address that is not registered for it.',
  interaction_expired: 'This page has expired, or it was opened in a different browser.',
  rate_limit_exceeded: 'Too many attempts. Wait a minute and try again.',
  temporarily_unavailable: 'The service is temporarily unavailable. Try again in a moment.',
  server_error: 'There was a problem on our side.',
};
