import { Compile } from 'typebox/compile';
import type { Answer } from './answer.ts';
import { expectStatus, expectThat, LeftOut } from './expectations.ts';
import type { Probe } from './probe.ts';
import { isRecord, pick } from './read-json.ts';

/** An operation of the API, as described in the service's document. */
export interface Operation {
  id: string;
  method: string;
  /** The path with an unused identifier for each parameter. */
  path: string;
  needsToken: boolean;
  responses: Readonly<Record<string, unknown>>;
}

/** The service's document, parsed for each check, because it may be wrong in any way. */
export interface ApiDocument {
  answer: Answer;
  operations: readonly Operation[];
  /** Unresolvable references. */
  danglingRefs: readonly string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Reads the OpenAPI document and resolves every reference. */
export async function readApiDocument(probe: Probe): Promise<ApiDocument> {
  const answer = await probe.open('GET', '/v1/openapi.json');
  expectStatus(answer, 200);
  const paths = pick(answer.body, 'paths');
  expectThat(answer, isRecord(paths), 'there are no paths');
  const danglingRefs: string[] = [];
  const whole = inline(answer.body, paths, danglingRefs, []);
  const operations = Object.entries(isRecord(whole) ? whole : {}).flatMap(([path, methods]) =>
    Object.entries(isRecord(methods) ? methods : {})
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => readOperation(method, path, operation)),
  );
  return { answer, operations, danglingRefs };
}

function readOperation(method: string, path: string, operation: unknown): Operation {
  const security = pick(operation, 'security');
  const responses = pick(operation, 'responses');
  return {
    id: String(pick(operation, 'operationId') ?? ''),
    method: method.toUpperCase(),
    path: path.replaceAll(/\{[^}]*\}/g, 'nothing'),
    needsToken: Array.isArray(security) && security.some((each) => isRecord(each) && 'bearer' in each),
    responses: isRecord(responses) ? responses : {},
  };
}

/** The fault of a response according to its description; undefined if there is none. */
export function findFault({ responses }: Operation, answer: Answer): string | undefined {
  const described = responses[answer.status];
  if (described === undefined) {
    return `${answer.what} answers ${answer.status}, which is not described`;
  }
  const content = pick(described, 'content');
  const schema = isRecord(content) ? pick(content[JSON_TYPE], 'schema') : undefined;
  const type = answer.headers['content-type'] ?? '';
  if (!isRecord(schema) || !type.startsWith(JSON_TYPE)) {
    return undefined;
  }
  const [fault] = Compile(schema).Errors(answer.body);
  return fault === undefined
    ? undefined
    : `${answer.what} answers ${answer.status} with a body that does not match its description: ${fault.instancePath || 'it'} ${fault.message}`;
}

const JSON_TYPE = 'application/json';

/** Throws the first few faults. */
export function expectNoFaults(answer: Answer, faults: readonly string[]): void {
  const more = faults.length > FAULTS_SHOWN ? ` (and ${faults.length - FAULTS_SHOWN} more)` : '';
  expectThat(answer, faults.length === 0, `${faults.slice(0, FAULTS_SHOWN).join('; ')}${more}`);
}

const FAULTS_SHOWN = 3;

/** Throws LeftOut if a check would prove nothing. */
export function requireOperations(operations: readonly Operation[]): void {
  if (operations.length === 0) {
    throw new LeftOut('the document describes no such operation');
  }
}

function inline(document: unknown, value: unknown, dangling: string[], open: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => inline(document, each, dangling, open));
  }
  if (!isRecord(value)) {
    return value;
  }
  const { $ref: reference } = value;
  if (typeof reference === 'string') {
    const found = reference.startsWith('#/') ? find(document, reference) : undefined;
    if (found === undefined) {
      dangling.push(reference);
    }
    // Recursion ends here: below that, anything is accepted.
    return found === undefined || open.includes(reference)
      ? {}
      : inline(document, found, dangling, [...open, reference]);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, inline(document, child, dangling, open)]),
  );
}

function find(document: unknown, reference: string): unknown {
  let found = document;
  for (const name of reference.slice(2).split('/')) {
    found = isRecord(found) ? found[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  return found;
}
