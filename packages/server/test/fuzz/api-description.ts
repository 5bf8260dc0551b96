import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

/** The parts of JSON Schema that request bodies use. */
export interface JsonSchema {
  type?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  format?: string;
  minLength?: number;
  minimum?: number;
}

export interface QueryParameter {
  name: string;
  schema: JsonSchema;
}

/** One operation as openapi.json describes it. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  /** Matches what the router would route here. */
  pattern: RegExp;
  isPublic: boolean;
  query: readonly QueryParameter[];
  body: JsonSchema | undefined;
  /** By status: what answers of it look like; undefined where there is no body in the envelope's sense. */
  answers: ReadonlyMap<number, Validator | undefined>;
}

/** Reads the document as a client would: from its JSON. */
export function readOperations(openapi: Readonly<Record<string, unknown>>): Operation[] {
  const document: Document = JSON.parse(JSON.stringify(openapi));
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => !tags.includes(OF_ITS_OWN_SHAPE))
      .map(([method, described]) => readOperation(document, path, method, described)),
  );
}

/** The operation that the router chooses; fixed segments win over parameters. */
export function operationOf(operations: readonly Operation[], method: string, target: string): Operation | undefined {
  const [path = ''] = target.replace(/^https?:\/\/[^/]+/, '').split(/[?#]/);
  const asked = method === 'HEAD' ? 'GET' : method;
  const matching = operations.filter((each) => each.method === asked && each.pattern.test(path));
  return matching.find((each) => !each.path.includes('{')) ?? matching[0];
}

/** The authorization server answers without the envelope; it has a test of its own. */
const OF_ITS_OWN_SHAPE = 'OAuth';

interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  components: { schemas: Readonly<Record<string, unknown>> };
}

interface Described {
  operationId: string;
  tags: readonly string[];
  security: readonly unknown[];
  parameters: ReadonlyArray<{ name: string; in: string; schema: JsonSchema }>;
  requestBody?: { content: Readonly<Record<string, { schema: JsonSchema }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: object }>> }>>;
}

function readOperation(document: Document, path: string, method: string, described: Described): Operation {
  const answers = Object.entries(described.responses).map(([status, { content }]) => {
    const schema = content?.['application/json']?.schema;
    const validator = schema === undefined ? undefined : Compile(inline(document, schema) as TSchema);
    return [Number(status), validator] as const;
  });
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`),
    isPublic: described.security.length === 0,
    query: described.parameters.filter((each) => each.in === 'query'),
    body: described.requestBody?.content['application/json']?.schema,
    answers: new Map(answers),
  };
}

/** The schema with every reference replaced by what it refers to. */
function inline(document: Document, schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map((each) => inline(document, each));
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  if ('$ref' in schema && typeof schema.$ref === 'string') {
    return inline(document, document.components.schemas[schema.$ref.split('/').at(-1) ?? '']);
  }
  return Object.fromEntries(Object.entries(schema).map(([key, child]) => [key, inline(document, child)]));
}
