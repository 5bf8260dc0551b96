import { type Components, titleOf } from './components.ts';
import type { DescribedWebhook } from './fragment.ts';
import { publishSchema } from './publish-schema.ts';

const ACKNOWLEDGED = {
  description: 'Return any 2xx status to acknowledge the event. Any other response, or a timeout, is retried.',
};

/** A type of event as an operation: the request that endpoints receive. */
export function describeWebhook(
  type: string,
  { name, description, parameters, schema, example, base }: DescribedWebhook,
  components: Components,
) {
  components.schema(base.title, base.schema);
  components.showsExample(base.title, base.example);
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
        '2XX': components.response(ACKNOWLEDGED, () => ({ name: 'Acknowledged', published: ACKNOWLEDGED })),
      },
    },
  };
}
