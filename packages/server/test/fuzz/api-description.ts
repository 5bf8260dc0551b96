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

/** An operation as described in openapi.json. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  /** Matches the paths that the router would route here. */
  pattern: RegExp;
  isPublic: boolean;
  query: readonly QueryParameter[];
  body: JsonSchema | undefined;
  /** By status: the validator of its responses, or undefined if they have no enveloped body. */
  answers: ReadonlyMap<number, Validator | undefined>;
}

/** Reads the document from its JSON, as a client would. */
export function readOperations(openapi: Readonly<Record<string, unknown>>): Operation[] {
  const document = wholeDocument<Document>(openapi);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => !tags.includes(WITHOUT_ENVELOPE))
      .map(([method, described]) => readOperation(path, method, described)),
  );
}

/** The operation that the router chooses. Fixed segments win over parameters. */
export function operationOf(operations: readonly Operation[], method: string, target: string): Operation | undefined {
  const [path = ''] = target.replace(/^https?:\/\/[^/]+/, '').split(/[?#]/);
  const asked = method === 'HEAD' ? 'GET' : method;
  const matching = operations.filter((each) => each.method === asked && each.pattern.test(path));
  return matching.find((each) => !each.path.includes('{')) ?? matching[0];
}

/** The authorization server answers without the envelope, and has its own test. */
const WITHOUT_ENVELOPE = 'OAuth';

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

/** The key in `answers` for all statuses that are not listed. */
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
