import { html } from './html.ts';
import { layout, type PageSite } from './layout.ts';

/** What a person is told when a request cannot go on and must not be sent on to an app. */
export function errorPage(
  site: PageSite,
  error: { code: string; description?: string | undefined; requestId?: string },
): string {
  return layout(site, {
    title: 'This cannot go on',
    alert: WORDS[error.code] ?? 'The request to log in was not understood.',
    body: html`
<p>Go back to the app that sent you here and start again. If it happens again, tell those who make the app:</p>
<dl>
<dt>Error</dt><dd><code>${error.code}</code></dd>
${error.description !== undefined && html`<dt>Description</dt><dd>${error.description}</dd>`}
${error.requestId !== undefined && html`<dt>Request</dt><dd><code>${error.requestId}</code></dd>`}
</dl>`,
  });
}

const WORDS: Readonly<Record<string, string>> = {
  invalid_client: 'We do not know the app that sent you here.',
  invalid_redirect_uri: 'The app wants you sent to an address that is not registered for it.',
  interaction_expired: 'This page has expired, or it belongs to another browser.',
  rate_limit_exceeded: 'Too many attempts. Wait a minute, then try again.',
  temporarily_unavailable: 'The service is away for the moment. Try again in a moment.',
  server_error: 'Something went wrong on our side.',
};
