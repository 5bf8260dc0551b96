import { Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';

const Timestamp = Type.String({ format: 'date-time' });

export const CreatedPortalLink = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'Open it in a browser, or in a frame. It works once. The part after # is a secret.',
    }),
    expires_at: Timestamp,
  },
  { title: 'WebhookPortalLink' },
);

export const PortalLinkExchange = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200, description: 'The part of the URL after #.' }) },
  { additionalProperties: false },
);

export const ExchangedPortalLink = Type.Object(
  {
    access_token: Type.String({ description: 'A bearer token for the webhooks of the organization.' }),
    expires_at: Timestamp,
    organization_id: Type.String({ pattern: idPattern('organization') }),
  },
  { title: 'WebhookPortalSession' },
);
