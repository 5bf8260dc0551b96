import { type Static, Type } from 'typebox';
import { ALL_SCOPES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { NameInput, UserSummary } from '../../users/index.ts';

const Timestamp = Type.String({ format: 'date-time' });
const Scopes = Type.Array(Type.Enum([...ALL_SCOPES], { title: 'Scope' }), {
  minItems: 1,
  maxItems: 100,
  // `uniqueItems` would express this, but Java clients of openapi-generator do not compile with a set of enums.
  description: 'Without duplicates.',
});
const RedirectUris = Type.Array(Type.String({ minLength: 1, maxLength: 2048, published: { format: 'uri' } }), {
  maxItems: 10,
  description:
    'Where the browser can be redirected to, compared character by character. Use https, http for 127.0.0.1, [::1], and localhost, or, for public apps, a custom scheme such as com.example.app:/callback. At least one, unless `device_flow` is true.',
});
const DeviceFlow = {
  description:
    'Whether the app may use the device flow (RFC 8628), for programs without a browser. Turn it on only for apps that need it.',
};

/** The body of POST /v1/oauth-apps. */
export const OauthAppInput = Type.Object(
  {
    name: NameInput,
    redirect_uris: RedirectUris,
    scopes: Scopes,
    confidential: Type.Boolean({
      description:
        'Whether the app can keep a secret: true for server apps; false for mobile, desktop, and browser apps. It cannot be changed later.',
    }),
    device_flow: Type.Optional(Type.Boolean({ ...DeviceFlow, default: false })),
  },
  { additionalProperties: false },
);
export type OauthAppInput = Static<typeof OauthAppInput>;

/** The body of PATCH /v1/oauth-apps/{id}. */
export const OauthAppChanges = Type.Object(
  {
    name: Type.Optional(NameInput),
    redirect_uris: Type.Optional(RedirectUris),
    scopes: Type.Optional(Scopes),
    device_flow: Type.Optional(Type.Boolean(DeviceFlow)),
  },
  { additionalProperties: false },
);
export type OauthAppChanges = Static<typeof OauthAppChanges>;

/** The body of POST /v1/oauth-apps/{id}/rotate-secret. */
export const SecretRotation = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description: 'How long the previous secret keeps working.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SecretRotation = Static<typeof SecretRotation>;

/** An OAuth app as the API shows one: never a secret. */
export const OauthApp = Type.Object(
  {
    id: Type.String({ pattern: idPattern('oauthApp') }),
    client_id: Type.String({ description: 'The same as `id`.' }),
    name: Type.String(),
    redirect_uris: Type.Array(Type.String()),
    scopes: Scopes,
    confidential: Type.Boolean(),
    device_flow: Type.Boolean(DeviceFlow),
    created_by: Type.Union([UserSummary.properties.id, Type.Null()], {
      description:
        'The user who created the app. Null when they have left the organization; only admins can then change it.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
    secrets: Type.Array(
      Type.Object(
        { created_at: Timestamp, expires_at: Type.Union([Timestamp, Type.Null()]) },
        { title: 'ClientSecret' },
      ),
      { description: 'The active client secrets, newest first. There are two during a rotation.' },
    ),
  },
  { title: 'OauthApp' },
);
export type OauthApp = Static<typeof OauthApp>;

/** The response to creation and rotation, the only ones that contain a secret. */
export const OauthAppWithSecret = Type.Object(
  {
    ...OauthApp.properties,
    client_secret: Type.Union([Type.String(), Type.Null()], {
      description: 'The client secret. Null for a public app. It is shown only once; we store only its hash.',
    }),
  },
  { title: 'OauthAppWithSecret' },
);
export type OauthAppWithSecret = Static<typeof OauthAppWithSecret>;
