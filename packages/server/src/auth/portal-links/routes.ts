import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { createPortalLink } from './create-portal-link.ts';
import { exchangePortalLink } from './exchange-portal-link.ts';
import { CreatedPortalLink, ExchangedPortalLink, PortalLinkExchange } from './schemas.ts';

const EXAMPLE_EXPIRY = '2026-11-02T09:45:00.000Z';
const secretOf = (prefix: string) => `${prefix}${'9Rt4kB'.repeat(7)}`;

/** The endpoints of the webhook portal, which other programs embed. */
export function portalLinkRoutes(tools: { baseUrl: string }): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/webhooks/portal-links',
      operationId: 'createWebhookPortalLink',
      tag: 'Webhooks',
      summary: 'Create a portal link',
      description:
        "Creates a link to the webhooks screens of the organization, for people who have no login here. It is valid for 15 minutes and opens one session of an hour, which can use the organization's webhooks and nothing else. The session ends when the user who created the link is no longer an admin. To show the screens in a frame, allow your origin in SEATHOLD_PORTAL_ANCESTORS.",
      access: ACCESS.createPortalLink,
      status: 201,
      response: CreatedPortalLink,
      errors: {},
      example: { data: { url: `https://localhost:8443/portal#${secretOf('svc_wpl_')}`, expires_at: EXAMPLE_EXPIRY } },
      handle: async (context) => ({ data: await createPortalLink(context, tools) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/webhooks/portal-links/exchange',
      operationId: 'exchangeWebhookPortalLink',
      tag: 'Webhooks',
      summary: 'Exchange a portal link',
      description:
        'Returns the token of the session that a portal link opens. The page behind the link calls this. A link can be exchanged once.',
      access: ACCESS.public,
      body: PortalLinkExchange,
      status: 201,
      response: ExchangedPortalLink,
      errors: { invalid_token: HTTP_ERRORS.invalid_token, token_expired: HTTP_ERRORS.token_expired },
      example: {
        body: { token: secretOf('svc_wpl_') },
        data: {
          access_token: secretOf('svc_wps_'),
          expires_at: '2026-11-02T10:31:00.000Z',
          organization_id: 'org_01k9m2v5x8e4bt3q6r7s8t9vwx',
        },
      },
      handle: async (context, { body }) => ({ data: await exchangePortalLink(context, body.token) }),
    }),
  ];
}
