import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { wholeDocument } from '../harness/whole-document.ts';

/** The parts of JSON Schema that request bodies use. */
export interface JsonSchema {
  type?: string | readonly string[];
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
  const document = wholeDocument<Document>(openapi);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => !tags.includes(OF_ITS_OWN_SHAPE))
      .map(([method, described]) => readOperation(path, method, described)),
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
}

interface Described {
  operationId: string;
  tags: readonly string[];
  security: readonly unknown[];
  parameters: ReadonlyArray<{ name: string; in: string; schema: JsonSchema }>;
  requestBody?: { content: Readonly<Record<string, { schema: JsonSchema }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: TSchema }>> }>>;
}

/** Where `answers` has what statuses that it does not name look like. */
export const ANY_OTHER_STATUS = 0;

function readOperation(path: string, method: string, described: Described): Operation {
  const answers = Object.entries(described.responses).map(([status, { content }]) => {
    const schema = content?.['application/json']?.schema;
    const validator = schema === undefined ? undefined : Compile(schema);
    return [status === 'default' ? ANY_OTHER_STATUS : Number(status), validator] as const;
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
