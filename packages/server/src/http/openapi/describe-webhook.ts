import { type Components, titleOf } from './components.ts';
import type { DescribedWebhook } from './fragment.ts';
import { publishSchema } from './publish-schema.ts';

const ACKNOWLEDGED = {
  description: 'Return any 2xx status to acknowledge the event. Any other response, or a timeout, is retried.',
};

/**
 * A type of event as an operation: the request that endpoints receive. It is marked as internal, because
 * openapi-generator would make it a method of the client that sends such requests, and its typescript-fetch client would
 * not even compile.
 */
export function describeWebhook(
  type: string,
  { name, description, parameters, schema, object, example }: DescribedWebhook,
  components: Components,
) {
  components.showExample(titleOf(object) ?? name, example);
  return {
    post: {
      operationId: `receive${name}`,
      summary: type,
      description,
      'x-internal': true,
      // The callback has the others, which would be a hundred references here.
      ...describeDelivery(
        parameters.filter((each) => each.required),
        components,
      ),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: publishSchema(schema, components) } },
      },
    },
  };
}

/**
 * What creating an endpoint leads to: requests with an event of any type. Its schema is one type for all of them. Some
 * generators keep only what paths refer to, and callbacks belong to a path while webhooks do not.
 */
export function describeCallbacks(
  url: string,
  webhooks: readonly DescribedWebhook[],
  components: Components,
): Record<string, unknown> {
  const schema = { title: 'WebhookEvent', anyOf: webhooks.map((each) => each.schema) };
  const post = {
    operationId: 'receiveEvent',
    summary: 'Receive an event',
    description: 'Sent for each event of the types that the endpoint subscribes to.',
    ...describeDelivery(webhooks[0]?.parameters ?? [], components),
    requestBody: { required: true, content: { 'application/json': { schema: publishSchema(schema, components) } } },
  };
  return { event: { [url]: { post } } };
}

function describeDelivery(parameters: DescribedWebhook['parameters'], components: Components) {
  return {
    security: [],
    parameters: parameters.map((each) => components.parameter(each.name, each)),
    responses: {
      '2XX': components.response(ACKNOWLEDGED, () => ({ name: 'Acknowledged', published: ACKNOWLEDGED })),
    },
  };
}
