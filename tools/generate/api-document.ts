import type { Schema } from './schema-type.ts';

/** As much of an OpenAPI 3.1 document as the types need. */
export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: {
    schemas?: Readonly<Record<string, Schema>>;
    responses?: Readonly<Record<string, Answer>>;
    parameters?: Readonly<Record<string, Parameter>>;
  };
}

export interface Operation {
  operationId: string;
  tags?: readonly string[];
  summary: string;
  description?: string;
  security?: readonly unknown[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
  responses: Readonly<Record<string, Answer>>;
}

/** The document with each schema that extends another written out. */
export function readDocument(text: string): ApiDocument {
  const document: ApiDocument = JSON.parse(text);
  const schemas = document.components.schemas ?? {};
  const whole = Object.entries(schemas).map(([name, schema]) => [name, withMembersOfBases(schema, schemas)]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(whole) } };
}

function withMembersOfBases(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const { allOf, ...rest } = schema;
  const parts = allOf?.map((each) => withMembersOfBases(follow(each, schemas), schemas));
  return parts === undefined
    ? schema
    : {
        ...rest,
        type: 'object',
        required: parts.flatMap(({ required = [] }) => required),
        properties: Object.assign({}, ...parts.map((each) => each.properties)),
      };
}

/** Either a parameter or a reference to one. */
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
  description?: string;
}

/** Either an answer or a reference to one. */
export interface Answer {
  $ref?: string;
  description?: string;
  content?: Readonly<Record<string, { schema: Schema }>>;
}

/** Every operation that speaks as the API does, in the order of the document, with what it refers to besides named schemas. */
export function operationsOf(document: ApiDocument): Array<{ method: string; path: string; operation: Operation }> {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags?.includes(OF_ITS_OWN_SHAPE) !== true)
      .map(([method, operation]) => ({ method, path, operation: withParts(document, operation) })),
  );
}

function withParts(document: ApiDocument, operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(([status, answer]): [string, Answer] => {
    const { content, ...rest } = follow(answer, document.components.responses);
    const envelope = content?.['application/json']?.schema;
    return envelope === undefined
      ? [status, { ...rest, ...(content === undefined ? {} : { content }) }]
      : [
          status,
          { ...rest, content: { 'application/json': { schema: follow(envelope, document.components.schemas) } } },
        ];
  });
  const parameters = operation.parameters?.map((each) => follow(each, document.components.parameters));
  return {
    ...operation,
    ...(parameters === undefined ? {} : { parameters }),
    responses: Object.fromEntries(responses),
  };
}

/** The component that a reference means; anything else as it is. */
export function follow<T extends { $ref?: string }>(value: T, components: Readonly<Record<string, T>> = {}): T {
  if (value.$ref === undefined) {
    return value;
  }
  const named = components[nameIn(value.$ref)];
  if (named === undefined) {
    throw new Error(`the document has no ${value.$ref}`);
  }
  return named;
}

export const nameIn = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

/** The authorization server takes forms and answers without the envelope; there are libraries for it. */
const OF_ITS_OWN_SHAPE = 'OAuth';
