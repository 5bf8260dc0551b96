import { ALL_SCOPES } from '../http/index.ts';

/** A form of one of the endpoints. */
export interface Form {
  properties: Readonly<Record<string, unknown>>;
  required: readonly string[];
  example: Readonly<Record<string, string>>;
}

/** The media type object of a form. Unknown parameters are ignored (RFC 6749 section 3.2). */
export function formOf({ properties, required, example }: Form): unknown {
  return { schema: { type: 'object', properties, required }, example };
}

/** How an app authenticates without the header. */
export const ANY_CLIENT = {
  client_id: { type: 'string', description: 'Required unless sent in the Authorization header.' },
  client_secret: {
    type: 'string',
    description: 'Required for confidential apps unless sent in the Authorization header.',
  },
};

const SCOPE = { type: 'string', description: 'The granted scopes, separated by spaces. Can be fewer than requested.' };

/** RFC 6749 section 5.1. */
export const TOKENS = {
  schema: {
    title: 'OauthTokens',
    type: 'object',
    required: ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'],
    additionalProperties: false,
    properties: {
      access_token: { type: 'string' },
      token_type: { type: 'string', const: 'Bearer' },
      expires_in: { type: 'integer', description: 'The lifetime of the access token, in seconds.' },
      refresh_token: { type: 'string' },
      scope: SCOPE,
    },
  },
  example: {
    access_token: 'svc_oat_7dRk2VnYp0XqZc4TfJw9LbHs6GmUe1A3iKo8tQCB',
    token_type: 'Bearer',
    expires_in: 3_600,
    refresh_token: 'svc_ort_5hTqL8rWc2JzXn0KyVb6PdGf3sMaEu9R1iYo7tCQ',
    scope: 'read:profile read:licenses',
  },
};

/** RFC 8628 section 3.2. */
export const DEVICE_CODES = {
  schema: {
    title: 'OauthDeviceCodes',
    type: 'object',
    required: ['device_code', 'user_code', 'verification_uri', 'verification_uri_complete', 'expires_in', 'interval'],
    additionalProperties: false,
    properties: {
      device_code: { type: 'string', description: 'A secret. It stays on the device.' },
      user_code: {
        type: 'string',
        description: 'What the user enters. It works in any case, with or without the hyphen.',
      },
      verification_uri: { type: 'string', format: 'uri', description: 'Where the user enters the code.' },
      verification_uri_complete: {
        type: 'string',
        format: 'uri',
        description: 'The same with the code filled in, for a QR code or a link.',
      },
      expires_in: { type: 'integer', description: 'How long both codes work, in seconds.' },
      interval: { type: 'integer', description: 'How many seconds to wait between requests for tokens.' },
    },
  },
  example: {
    device_code: 'svc_odc_6gVx9dQk1ZcR4mTs8bWnYp2LhJf7Ea3KuXo5iN0tBD',
    user_code: 'WDJB-MJHT',
    verification_uri: 'https://localhost:8443/oauth/device',
    verification_uri_complete: 'https://localhost:8443/oauth/device?user_code=WDJB-MJHT',
    expires_in: 600,
    interval: 5,
  },
};

/** RFC 7662 section 2.2. */
export const INTROSPECTION = {
  schema: {
    title: 'OauthIntrospection',
    type: 'object',
    required: ['active'],
    additionalProperties: false,
    properties: {
      active: { type: 'boolean' },
      client_id: { type: 'string' },
      sub: { type: 'string', description: 'The ID of the user.' },
      scope: SCOPE,
      token_type: { type: 'string' },
      iss: { type: 'string', format: 'uri' },
      iat: { type: 'integer' },
      exp: { type: 'integer' },
    },
  },
  example: {
    active: true,
    client_id: 'app_01kg9xm2m8xf3q9wz5r7e6b4c1',
    sub: 'usr_01kg9xm2m8xf3q9wz5r7e6b4c1',
    scope: 'read:profile read:licenses',
    token_type: 'Bearer',
    iss: 'https://localhost:8443/oauth',
    iat: 1_769_860_800,
    exp: 1_769_864_400,
  },
};

const ADDRESS = { type: 'string', format: 'uri' };
const LIST = { type: 'array', items: { type: 'string' } };

/** The used part of RFC 8414 section 2. */
export const METADATA = {
  title: 'OauthMetadata',
  type: 'object',
  required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'response_types_supported'],
  properties: {
    issuer: ADDRESS,
    authorization_endpoint: ADDRESS,
    token_endpoint: ADDRESS,
    revocation_endpoint: ADDRESS,
    introspection_endpoint: ADDRESS,
    device_authorization_endpoint: ADDRESS,
    response_types_supported: LIST,
    response_modes_supported: LIST,
    grant_types_supported: LIST,
    code_challenge_methods_supported: LIST,
    token_endpoint_auth_methods_supported: LIST,
    revocation_endpoint_auth_methods_supported: LIST,
    introspection_endpoint_auth_methods_supported: LIST,
    authorization_response_iss_parameter_supported: { type: 'boolean' },
    scopes_supported: { type: 'array', items: { type: 'string', enum: ALL_SCOPES } },
  },
};

/** A page for the person at the browser. */
export const PAGE = { schema: { type: 'string' }, example: '<!doctype html>…' };
