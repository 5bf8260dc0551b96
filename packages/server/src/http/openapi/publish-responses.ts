import { type Components, nameOf } from './components.ts';
import { publishSchema } from './publish-schema.ts';

interface Content {
  schema: object;
  examples?: Readonly<Record<string, { value: { error: unknown } }>>;
}

interface Response {
  content?: Readonly<Record<string, Content>>;
}

export type Responses = Readonly<Record<string, Response>>;

/** An operation whose schemas are inline. */
export interface WholeOperation {
  parameters: ReadonlyArray<{ schema: object }>;
  requestBody?: { content: Readonly<Record<string, Content>> };
  responses: Responses;
}

/** The operation as the document has it. */
export function publishOperation(operation: WholeOperation, components: Components): unknown {
  const { parameters, requestBody, responses, ...rest } = operation;
  return {
    ...rest,
    parameters: parameters.map((each) => ({ ...each, schema: publishSchema(each.schema, components) })),
    ...(requestBody === undefined ? {} : { requestBody: publishBody(requestBody, components) }),
    responses: publishResponses(responses, components),
  };
}

/** The responses of an operation as the document has them, with references to the refusals that operations share. */
export function publishResponses(responses: Responses, components: Components): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if (Number(status) < 400) {
        return [status, publishBody(response, components)];
      }
      const publish = () => {
        const name = nameOfRefusal(status, response);
        return { name, published: publishBody(response, components, `${name}Response`) };
      };
      return [status, components.response(response, publish)];
    }),
  );
}

/** `title` names a body of JSON. */
function publishBody({ content, ...rest }: Response, components: Components, title?: string): unknown {
  if (content === undefined) {
    return rest;
  }
  const published = Object.entries(content).map(([type, { schema, ...examples }]) => [
    type,
    {
      schema: publishSchema(
        type === 'application/json' && title !== undefined ? { ...schema, title } : schema,
        components,
      ),
      ...examples,
    },
  ]);
  return { ...rest, content: Object.fromEntries(published) };
}

/** Named by its error codes. An OAuth code can have several statuses, and HTML pages have no codes. */
function nameOfRefusal(status: string, { content }: Response): string {
  const examples = content?.['application/json']?.examples;
  if (examples === undefined) {
    return `OauthPage${status}`;
  }
  const name = nameOf(Object.keys(examples));
  const isOauth = Object.values(examples).some(({ value }) => typeof value.error === 'string');
  return isOauth ? `Oauth${name}${status}` : name;
}
