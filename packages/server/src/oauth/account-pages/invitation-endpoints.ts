import { type Exchange, httpError, type MountedEndpoint } from '../../http/index.ts';
import { parseEmail } from '../../users/index.ts';
import { isFromAnotherSite } from '../interactions/same-site.ts';
import { typedAddress } from '../interactions/typed-address.ts';
import type { OauthTools } from '../oauth-tools.ts';
import { acceptInvitationPage } from '../pages/invitation-pages.ts';
import type { PageSite } from '../pages/layout.ts';
import { type ArrivedForm, acceptByCode, acceptByPassword } from './accept-by-login.ts';
import { type PageAnswer, sendOn, sendPage } from './send-page.ts';

/** The pages for accepting an invitation. They count as logins, by the client's address and by account. */
export function invitationEndpoints(
  tools: OauthTools,
  site: PageSite,
  refuse: MountedEndpoint['refuse'],
): Array<[string, MountedEndpoint]> {
  const start = `${site.basePath}/accept-invitation`;
  const endpoint = (
    path: string,
    show: (exchange: Exchange) => void,
    take: (arrived: ArrivedForm) => Promise<PageAnswer>,
    limits: Pick<MountedEndpoint, 'limit' | 'countedAccount'>,
  ): [string, MountedEndpoint] => [
    path,
    {
      path,
      methods: ['GET', 'HEAD', 'POST'],
      takesForm: true,
      ...limits,
      refuse,
      async handle(exchange, form) {
        if (exchange.request.method !== 'POST') {
          show(exchange);
          return;
        }
        if (isFromAnotherSite(exchange.request.headers, tools.authUrl)) {
          throw httpError('forbidden', 'This form was submitted from another site.');
        }
        sendPage(site, exchange, await take({ tools, site, exchange, form }));
      },
    },
  ];
  const showForm = (exchange: Exchange) => sendPage(site, exchange, { status: 200, page: acceptInvitationPage(site) });
  return [
    endpoint(start, showForm, acceptByPassword, {
      limit: 'login',
      countedAccount: (form) => parseEmail(typedAddress(form)),
    }),
    // Reloading the response to the form by its URL redirects to the beginning.
    endpoint(`${start}/code`, (exchange) => sendOn(exchange, start), acceptByCode, { limit: 'login' }),
  ];
}
