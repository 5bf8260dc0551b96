import { Type } from 'typebox';
import { type EventDefinition, typesOf } from '../../events/index.ts';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route, withValues } from '../../http/index.ts';
import { Delivery } from '../deliveries/schemas.ts';
import { changeEndpoint } from './change-endpoint.ts';
import { createEndpoint } from './create-endpoint.ts';
import { EXAMPLE_DETAIL, EXAMPLE_ENDPOINT, EXAMPLE_INPUT, EXAMPLE_SECRET, EXAMPLE_TEST } from './endpoint-example.ts';
import { ENDPOINT_LIST } from './endpoint-list.ts';
import type { EndpointTools } from './endpoint-tools.ts';
import { getEndpoint } from './get-endpoint.ts';
import { presentEndpoint } from './present-endpoint.ts';
import { removeEndpoint } from './remove-endpoint.ts';
import { rotateSecret } from './rotate-secret.ts';
import {
  CreatedWebhookEndpoint,
  EndpointChange,
  EndpointInput,
  RotatedWebhookEndpoint,
  SecretRotation,
  TestInput,
  WebhookEndpoint,
  WebhookEndpointDetail,
} from './schemas.ts';
import { sendTestEvent } from './send-test-event.ts';

/** The endpoints at /v1/webhooks, except for those of deliveries. */
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
      'The endpoint receives events that are created after it. An organization can have at most 50 endpoints. The signing secret is returned only in this response.',
    access: ACCESS.manageWebhooks,
    limit: 'create-webhook',
    opensTransaction: true,
    body: EndpointInput,
    status: 201,
    response: CreatedWebhookEndpoint,
    callbackUrl: '{$request.body#/url}',
    errors: { conflict, validation_failed },
    example: { body: EXAMPLE_INPUT, data: { ...EXAMPLE_ENDPOINT, secret: EXAMPLE_SECRET } },
    handle: (context, { body }) => createEndpoint(context, tools, body),
  });
}

function listRoute(catalogue: readonly EventDefinition[]): Route {
  const list = withValues(ENDPOINT_LIST, 'event', typesOf(catalogue));
  return defineRoute({
    method: 'GET',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    tag: TAG,
    summary: 'List webhook endpoints',
    description: 'Use `event` to find endpoints that receive an event type, including by group or `*`.',
    access: ACCESS.readWebhooks,
    list,
    status: 200,
    response: WebhookEndpoint,
    errors: {},
    example: { data: [EXAMPLE_ENDPOINT] },
    handle: (context, { page }) =>
      ENDPOINT_LIST.getPage(
        context.database,
        page,
        { organizationId: context.principal.organizationId },
        presentEndpoint,
      ),
  });
}

const GET_ONE = defineRoute({
  method: 'GET',
  path: '/v1/webhooks/{webhook_id}',
  operationId: 'getWebhook',
  tag: TAG,
  summary: 'Get a webhook endpoint',
  description: 'Includes statistics of recent attempts. The signing secret is never returned.',
  access: ACCESS.readWebhooks,
  params: EndpointPath,
  status: 200,
  response: WebhookEndpointDetail,
  errors: { not_found },
  example: { data: EXAMPLE_DETAIL },
  handle: async (context, { params }) => ({ data: await getEndpoint(context, params.webhook_id) }),
});

function changeRoute(tools: EndpointTools): Route {
  return defineRoute({
    method: 'PATCH',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'updateWebhook',
    tag: TAG,
    summary: 'Update a webhook endpoint',
    description:
      'Set `status` to pause or enable the endpoint. While it is paused or disabled, its events are held; set `{"status": "active"}` and replay them. If you change the URL, waiting deliveries go to the new one.',
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
  description: 'Waiting deliveries are no longer sent, and the delivery history is deleted.',
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
    summary: 'Rotate a signing secret',
    description:
      'During the overlap, both secrets sign: the header contains one v1 signature for each, newest first. At most three secrets can sign at a time; if there are more, the oldest stops immediately.',
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
      'Immediately sends an example of an event type to this endpoint only, even if it is paused or disabled. The delivery shows the outcome. If it fails, it is retried on the usual schedule.',
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
