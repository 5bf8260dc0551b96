import { type TSchema, Type } from 'typebox';
import type { Acting } from '../access.ts';
import { type ErrorDefinition, HTTP_ERRORS, type HttpErrorCode } from '../errors.ts';
import type { Route } from '../route.ts';
import { SCOPES } from '../scopes.ts';
import { createCheck } from '../validate.ts';
import { Components, pascalCase, titleOf } from './components.ts';
import { describeCallbacks, describeWebhook } from './describe-webhook.ts';
import type { ApiFacts, ApiFragment, DescribedWebhook } from './fragment.ts';
import { HEADER_COMPONENTS, HEADERS_OF_ALL, headerParameters, isIdempotent } from './headers.ts';
import { publishOperation, publishResponses, type WholeOperation } from './publish-responses.ts';
import { publishSchema, withoutNul } from './publish-schema.ts';
import { queryParameters } from './query-parameters.ts';
import { errorResponsesAndDefault, successResponse } from './responses.ts';

export { type ApiFragment, type DescribedWebhook, headersOfStatus, refusalsOfEverything } from './fragment.ts';

/**
 * The API as OpenAPI 3.1, generated from the table of routes: the schemas that validate requests are published here.
 * The authorization server, which has no routes in it, is added as a fragment with its security schemes. Contains every
 * error, header and example, so that clients and test tools need nothing else.
 */
export function describeApi(
  routes: readonly Route[],
  oauth: ApiFragment,
  webhooks: Readonly<Record<string, DescribedWebhook>>,
  { baseUrl, version, sections }: ApiFacts,
): Record<string, unknown> {
  const shown = routes.filter((route) => route.isInternal !== true);
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of shown) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(route, webhooks, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Seathold',
      version,
      description:
        'Floating licenses, subscriptions, and signed webhooks. Successful responses contain `data` and `meta`; lists also contain `pagination`. Errors contain `error` and `meta`. Times are ISO 8601 in UTC. The sandbox serves the same API at its own address.' +
        `\n\nEvery response carries these headers:\n\n${HEADERS_OF_ALL.map((each) => `- ${each}`).join('\n')}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [
      ...[...new Set(shown.map((route) => route.tag))].map((name) => ({ name, description: sections[name] })),
      oauth.tag,
    ],
    paths: { ...paths, ...publishPaths(oauth.paths, components) },
    webhooks: Object.fromEntries(
      Object.entries(webhooks).map(([type, webhook]) => [type, describeWebhook(type, webhook, components)]),
    ),
    components: {
      schemas: components.schemas(),
      responses: components.responses(),
      parameters: components.parameters(),
      headers: HEADER_COMPONENTS,
      examples: components.examples(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: `A session token from POST /v1/auth/login, or an API or OAuth token with scopes. The scopes are: ${Object.keys(SCOPES).join(', ')}.`,
        },
        operator: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An operator token, or the session token of a staff member whose login passed two-factor authentication. The staff role decides what it may do. To act for an organization on its ordinary routes, send `X-Organization-Id`.',
        },
        ...oauth.securitySchemes,
      },
    },
  };
}

const NOT_MODIFIED = { description: 'Not modified. The response has no body.' };

/** The schemas and responses of a fragment are still inline. */
function publishPaths(paths: ApiFragment['paths'], components: Components): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method,
          isOperation(operation) ? publishOperation(operation, components) : operation,
        ]),
      ),
    ]),
  );
}

/** A path can also list its servers. */
function isOperation(operation: unknown): operation is WholeOperation {
  return typeof operation === 'object' && operation !== null && 'responses' in operation;
}

function describeOperation(
  route: Route,
  webhooks: Readonly<Record<string, DescribedWebhook>>,
  components: Components,
): Record<string, unknown> {
  const success = successResponse(route, components);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, describeAccess(route)].filter((line) => line !== undefined).join('\n\n'),
    security: describeSecurity(route),
    parameters: [
      ...pathParameters(route, components),
      ...queryParameters(route, components),
      ...sharedHeaders(route, components),
    ],
    ...(route.body === undefined ? {} : { requestBody: describeBody(route, components) }),
    ...(route.callbackUrl === undefined
      ? {}
      : { callbacks: describeCallbacks(route.callbackUrl, Object.values(webhooks), components) }),
    responses: publishResponses(
      {
        [route.status]: success,
        ...(route.alsoStatus === undefined
          ? {}
          : {
              [route.alsoStatus]: route.alsoStatus === 304 ? NOT_MODIFIED : success,
            }),
        ...(route.accepted === undefined ? {} : { 202: acceptedResponse(route, route.accepted, components) }),
        ...errorResponsesAndDefault(errorsOf(route), takesBody(route) ? ANYWHERE_WITH_BODY : ANYWHERE),
      },
      components,
    ),
  };
}

function acceptedResponse(
  { alsoStatus: _also, ...route }: Route,
  { response, example }: NonNullable<Route['accepted']>,
  components: Components,
) {
  return successResponse({ ...route, status: 202, response, example: { data: example } }, components);
}

/**
 * The scope that an API token or an app's token needs. Does not list the scheme `oauth2` as an alternative:
 * typescript-fetch would apply both, and send a header without the word Bearer.
 */
function describeSecurity({ access }: Route): unknown[] {
  if (access.kind === 'public') {
    return [];
  }
  if (access.kind === 'operator') {
    return [{ operator: [] }];
  }
  const scopes = access.scope === undefined ? [] : [access.scope];
  return [{ bearer: access.sessionOnly === true ? [] : scopes }];
}

function describeAccess(route: Route): string {
  const { access } = route;
  if (access.kind === 'public') {
    return 'No authentication required.';
  }
  if (access.kind === 'operator') {
    return `Requires staff role \`${access.staff}\`. Use an operator token, or a staff login with two-factor authentication.`;
  }
  const scope = access.scope === undefined ? '' : `scope \`${access.scope}\`, `;
  const token = access.sessionOnly === true ? ', and a session token' : '';
  const self = access.orSelf === undefined ? '' : ' To leave yourself, a session token is enough.';
  return `Requires ${scope}role \`${access.role}\` or higher${token}.${self}${describeActing(access.acting)}`;
}

/** Which staff may do it for a customer. */
function describeActing(acting: Acting): string {
  if (acting === 'self' || acting === 'never') {
    return '';
  }
  const roles = acting.map((role) => `\`${role}\``).join(' or ');
  return ` Staff who act for the organization need role ${roles}.`;
}

function pathParameters(route: Route, components: Components): unknown[] {
  return Object.keys(route.params?.properties ?? {}).map((name) =>
    components.parameter(`Path${pascalCase(name)}`, {
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', maxLength: 128 },
    }),
  );
}

function sharedHeaders(route: Route, components: Components): unknown[] {
  return headerParameters(route).map((each) => components.parameter(each.name, each));
}

function describeBody(route: Route, components: Components): unknown {
  const required = isRequired(route.body ?? Type.Unknown());
  const title = `${pascalCase(route.operationId)}Body`;
  const schema = publishSchema(withoutNul({ title, ...route.body }), components);
  const shown = route.example?.body;
  if (shown !== undefined) {
    components.showExample(titleOf(route.body) ?? title, shown);
  }
  const yaml = route.takesYaml === true ? { 'application/yaml': { schema } } : {};
  return { required, content: { 'application/json': { schema }, ...yaml } };
}

/** If an empty object is valid, the body may be omitted. */
function isRequired(body: TSchema): boolean {
  const published = 'published' in body ? Object(body.published) : {};
  return createCheck(Type.Unsafe({ ...body, ...published }))({}) !== undefined;
}

const { request_timeout, headers_too_large, internal_error, service_unavailable } = HTTP_ERRORS;
const { payload_too_large, unsupported_media_type } = HTTP_ERRORS;

/** Errors that say nothing about the operation. */
const ANYWHERE = { request_timeout, headers_too_large, internal_error, service_unavailable };
const ANYWHERE_WITH_BODY = { payload_too_large, unsupported_media_type, ...ANYWHERE };

/** A route without a body still checks one: an empty object is accepted. */
function takesBody({ method, body }: Route): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(method) || body !== undefined;
}

/** The errors of the route itself, and of every route of its kind. */
function errorsOf(route: Route): Record<string, ErrorDefinition> {
  const codes: HttpErrorCode[] = ['invalid_request', 'https_required', 'rate_limit_exceeded'];
  if (route.access.kind === 'token') {
    codes.push('invalid_token', 'token_expired', 'not_found', 'forbidden', 'insufficient_scope', 'two_factor_required');
    if (route.access.whileSuspended !== true) {
      codes.push('organization_suspended');
    }
  }
  if (route.access.kind === 'operator') {
    codes.push('invalid_token', 'token_expired', 'not_found', 'forbidden', 'insufficient_scope', 'two_factor_required');
  }
  if (isIdempotent(route)) {
    codes.push('idempotency_in_progress', 'idempotency_key_reused');
  }
  return { ...Object.fromEntries(codes.map((code) => [code, HTTP_ERRORS[code]])), ...route.errors };
}
