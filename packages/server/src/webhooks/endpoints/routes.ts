import { Type } from 'typebox';
import type { EventDefinition } from '../../events/index.ts';
import { ACCESS, defineRoute, HTTP_ERRORS, type ListDefinition, type Route } from '../../http/index.ts';
import { Delivery } from '../deliveries/schemas.ts';
import { changeEndpoint } from './change-endpoint.ts';
import { createEndpoint } from './create-endpoint.ts';
import { EXAMPLE_DETAIL, EXAMPLE_ENDPOINT, EXAMPLE_INPUT, EXAMPLE_SECRET, EXAMPLE_TEST } from './endpoint-example.ts';
import type { EndpointTools } from './endpoint-tools.ts';
import { readEndpoint, readEndpoints } from './read-endpoints.ts';
import { removeEndpoint } from './remove-endpoint.ts';
import { rotateSecret } from './rotate-secret.ts';
import {
  CreatedWebhookEndpoint,
  ENDPOINT_STATUSES,
  EndpointChange,
  EndpointInput,
  RotatedWebhookEndpoint,
  SecretRotation,
  TestInput,
  WebhookEndpoint,
  WebhookEndpointDetail,
} from './schemas.ts';
import { sendTestEvent } from './send-test-event.ts';

/** The endpoints at /v1/webhooks, what is told of their deliveries excepted. */
export function endpointRoutes(tools: EndpointTools): Route[] {
  return [
    createRoute(tools),
    listRoute(tools.catalogue),
    GET_ONE,
    changeRoute(tools),
    DELETE_ONE,
    rotateRoute(tools),
    testRoute(tools),
  ];
}

const TAG = 'Webhooks';
const { not_found, conflict, validation_failed } = HTTP_ERRORS;
const EndpointPath = Type.Object({ webhook_id: Type.String() });

function createRoute(tools: EndpointTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    tag: TAG,
    summary: 'Create a webhook endpoint',
    description:
      'It gets the events that are created after it. An organization has 50 endpoints at most. The answer is the only one that holds the secret.',
    access: ACCESS.manageWebhooks,
    limit: 'create-webhook',
    opensTransaction: true,
    body: EndpointInput,
    status: 201,
    response: CreatedWebhookEndpoint,
    errors: { conflict, validation_failed },
    example: { body: EXAMPLE_INPUT, data: { ...EXAMPLE_ENDPOINT, secret: EXAMPLE_SECRET } },
    handle: (context, { body }) => createEndpoint(context, tools, body),
  });
}

function listRoute(catalogue: readonly EventDefinition[]): Route {
  const list: ListDefinition = {
    defaultSort: '-created_at',
    sorts: { created_at: 'time' },
    filters: {
      status: { kind: 'enum', values: ENDPOINT_STATUSES },
      event: { kind: 'enum', values: catalogue.map((each) => each.type) },
    },
  };
  return defineRoute({
    method: 'GET',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    tag: TAG,
    summary: 'List webhook endpoints',
    description: 'The filter `event` finds those that get events of a type, by a group or `*` as well.',
    access: ACCESS.readWebhooks,
    list,
    status: 200,
    response: WebhookEndpoint,
    errors: {},
    example: { data: [EXAMPLE_ENDPOINT] },
    handle: (context, { page }) => readEndpoints(context, page),
  });
}

const GET_ONE = defineRoute({
  method: 'GET',
  path: '/v1/webhooks/{webhook_id}',
  operationId: 'getWebhook',
  tag: TAG,
  summary: 'Read a webhook endpoint',
  description: 'With what its last attempts came to; never the secret.',
  access: ACCESS.readWebhooks,
  params: EndpointPath,
  status: 200,
  response: WebhookEndpointDetail,
  errors: { not_found },
  example: { data: EXAMPLE_DETAIL },
  handle: async (context, { params }) => ({ data: await readEndpoint(context, params.webhook_id) }),
});

function changeRoute(tools: EndpointTools): Route {
  return defineRoute({
    method: 'PATCH',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'updateWebhook',
    tag: TAG,
    summary: 'Change, pause or enable a webhook endpoint',
    description:
      'What waits goes to the new URL. While an endpoint is paused or disabled its events are held; after `{"status": "active"}` they can be replayed.',
    access: ACCESS.manageWebhooks,
    opensTransaction: true,
    params: EndpointPath,
    body: EndpointChange,
    status: 200,
    response: WebhookEndpoint,
    errors: { not_found, validation_failed },
    example: {
      body: { status: 'paused' },
      data: { ...EXAMPLE_ENDPOINT, status: 'paused', updated_at: '2026-12-01T08:00:00.000Z' },
    },
    handle: (context, { params, body }) => changeEndpoint(context, tools, params.webhook_id, body),
  });
}

const DELETE_ONE = defineRoute({
  method: 'DELETE',
  path: '/v1/webhooks/{webhook_id}',
  operationId: 'deleteWebhook',
  tag: TAG,
  summary: 'Delete a webhook endpoint',
  description: 'What waits is sent no more, and the history of its deliveries goes with it.',
  access: ACCESS.manageWebhooks,
  params: EndpointPath,
  status: 204,
  errors: { not_found },
  handle: async (context, { params }) => ({ data: await removeEndpoint(context, params.webhook_id) }),
});

function rotateRoute(tools: EndpointTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tag: TAG,
    summary: 'Rotate the signing secret',
    description:
      'Until the overlap is over both secrets sign: the header has one v1 for each, the newest first. At most three sign at a time; the oldest ends at once.',
    access: ACCESS.manageWebhooks,
    params: EndpointPath,
    body: SecretRotation,
    status: 200,
    response: RotatedWebhookEndpoint,
    errors: { not_found },
    example: {
      body: { overlap_seconds: 3600 },
      data: { ...EXAMPLE_ENDPOINT, secret: EXAMPLE_SECRET, previous_secret_expires_at: '2026-11-02T10:30:00.000Z' },
    },
    handle: async (context, { params, body }) => ({
      data: await rotateSecret(context, tools, params.webhook_id, body),
    }),
  });
}

function testRoute(tools: EndpointTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/test',
    operationId: 'testWebhook',
    tag: TAG,
    summary: 'Send a test event',
    description:
      'Sends the example of a type to this endpoint alone, at once, also while it is paused or disabled. Its outcome is told by the delivery; where it fails it keeps to the schedule like any other.',
    access: ACCESS.manageWebhooks,
    opensTransaction: true,
    params: EndpointPath,
    body: TestInput,
    status: 201,
    response: Delivery,
    errors: { not_found, conflict, validation_failed },
    example: { body: { type: EXAMPLE_TEST.event_type }, data: EXAMPLE_TEST },
    handle: (context, { params, body }) => sendTestEvent(context, tools, params.webhook_id, body.type),
  });
}
