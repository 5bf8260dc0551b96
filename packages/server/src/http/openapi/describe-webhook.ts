import { type Components, titleOf } from './components.ts';
import type { DescribedWebhook } from './fragment.ts';
import { publishSchema } from './publish-schema.ts';

/** A type of event as an operation: the request that endpoints receive. */
export function describeWebhook(
  type: string,
  { name, description, parameters, schema, example }: DescribedWebhook,
  components: Components,
) {
  const title = titleOf(schema);
  const isShown = title !== undefined && components.showsExample(title, example);
  const shown = isShown ? {} : { example };
  return {
    post: {
      operationId: `receive${name}`,
      summary: type,
      description,
      parameters: parameters.map((each) => components.parameter(each.name, each)),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: publishSchema(schema, components), ...shown } },
      },
      responses: {
        '2XX': {
          description: 'Return any 2xx status to acknowledge the event. Any other response, or a timeout, is retried.',
        },
      },
    },
  };
}
