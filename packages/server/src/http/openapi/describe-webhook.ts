import { type Components, titleOf } from './components.ts';
import type { DescribedWebhook } from './fragment.ts';
import { publishSchema } from './publish-schema.ts';

const ACKNOWLEDGED = {
  description: 'Return any 2xx status to acknowledge the event. Any other response, or a timeout, is retried.',
};

/**
 * A type of event as an operation: the request that endpoints receive. It is marked as internal, because
 * openapi-generator would create a client method that sends such requests, and its typescript-fetch client would not
 * compile.
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
      // The callback has the other responses, which would be a hundred references here.
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
 * The callbacks of creating an endpoint: requests with an event of any type, with one schema for all. Some generators
 * only include what paths refer to, and callbacks belong to a path while webhooks do not.
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
