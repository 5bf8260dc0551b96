import { headersOfStatus, refusalsOfEverything } from '../http/index.ts';
import { type Form, formOf } from './described-bodies.ts';

/** The section of the API reference. */
export const OAUTH_TAG = 'OAuth';

/** An endpoint for apps: it takes a form, and identifies apps by their secret, or public apps by their ID. */
export function describeEndpoint(described: {
  operationId: string;
  summary: string;
  description: string;
  form: Form;
  success: Readonly<Record<string, unknown>>;
  errors?: Readonly<Record<string, string>>;
}): unknown {
  const { operationId, summary, description, form, success, errors } = described;
  return {
    operationId,
    tags: [OAUTH_TAG],
    summary,
    description,
    security: [{ oauthClient: [] }, {}],
    parameters: [],
    requestBody: { required: true, content: { 'application/x-www-form-urlencoded': formOf(form) } },
    responses: {
      200: { headers: headersOfStatus(200), ...success },
      ...errorResponses({ ...OF_FORMS, 400: { ...OF_FORMS[400], ...errors } }),
      ...refusalsOfEverything(),
    },
  };
}

/** The error codes of an endpoint by status, with their descriptions. */
type Errors = Readonly<Record<number, Readonly<Record<string, string>>>>;

/** The errors of every endpoint. */
export const UNAVAILABLE: Errors = {
  429: { rate_limit_exceeded: 'Too many requests. Wait for the time in Retry-After.' },
  500: { server_error: 'Something went wrong on our side.' },
  503: { temporarily_unavailable: 'The service is temporarily unavailable. Try again in a moment.' },
};

/** The errors of every endpoint for apps. */
const OF_FORMS: Errors = {
  400: {
    invalid_request: 'A parameter is missing, repeated, or malformed, or the Origin is not allowed for the app.',
  },
  401: { invalid_client: 'The app is unknown, or its authentication failed.' },
  413: { invalid_request: 'The body must be at most 57344 bytes.' },
  415: { invalid_request: 'Send the body as Content-Type: application/x-www-form-urlencoded.' },
  ...UNAVAILABLE,
};

/** The responses of these errors. */
export function errorResponses(errors: Errors): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(errors).map(([status, codes]) => [
      status,
      {
        description: Object.entries(codes)
          .map(([code, when]) => `\`${code}\`: ${when}`)
          .join('\n\n'),
        headers: errorHeadersOf(Number(status)),
        content: { 'application/json': { schema: errorSchema(Object.keys(codes)), examples: errorExamples(codes) } },
      },
    ]),
  );
}

function errorHeadersOf(status: number): Record<string, unknown> {
  const challenge = { description: 'RFC 7617.', required: false, schema: { type: 'string' } };
  return { ...headersOfStatus(status), ...(status === 401 ? { 'WWW-Authenticate': challenge } : {}) };
}

/** RFC 6749 section 5.2. */
function errorSchema(codes: readonly string[]): unknown {
  return {
    type: 'object',
    required: ['error', 'error_description'],
    additionalProperties: false,
    properties: {
      error: { type: 'string', enum: codes },
      error_description: { type: 'string' },
      ...(codes.includes('invalid_scope') ? { scope: { type: 'string', description: 'The scope of the token.' } } : {}),
    },
  };
}

function errorExamples(codes: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(codes).map(([error, when]) => [error, { value: { error, error_description: when } }]),
  );
}
