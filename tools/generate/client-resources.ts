import { type ApiDocument, type Operation, operationsOf } from './api-document.ts';
import { comment, propertyName } from './schema-type.ts';

/**
 * The client's surface: a table of operations for each resource, and the class that has them all. What an operation takes
 * and answers follows from its id in the API's types. The same document gives the same text; throws where two operations
 * would have one name.
 */
export function clientResources(document: ApiDocument): string {
  const resources = [...groupByResource(document)].sort(([one], [other]) => (one < other ? -1 : 1));
  const tables = resources.map(([resource, methods]) => {
    const rows = [...methods].map(([name, row]) => describeRow(name, row));
    return `const ${constantName(resource)} = {\n${rows.join('')}} as const;\n`;
  });
  const fields = resources.map(([resource]) => `  readonly ${resource}: Resource<typeof ${constantName(resource)}>;\n`);
  const openings = resources.map(([resource]) => `    this.${resource} = open(${constantName(resource)});\n`);
  const rows = resources.map(([resource]) => `  ...Object.values(${constantName(resource)}),\n`);
  return [
    HEADER,
    ...tables,
    `/** Every operation of the API except for streams. */\nexport const ALL_OPERATIONS: readonly OperationRow[] = [\n${rows.join('')}];\n`,
    `/** The resources of the API, each with its methods. */
export class Resources {
${fields.join('')}
  constructor(open: CreateResource) {
${openings.join('')}  }
}
`,
  ].join('\n');
}

/**
 * Where an operation is in the client. The resource is the first word of its path, and the method is the operation's
 * id without the resource's name: GET /v1/webhooks/{id}/deliveries, listWebhookDeliveries, is `webhooks.listDeliveries`.
 * A verb that follows the resource in the path is the method: POST /v1/licenses/acquire, acquireSeat, is
 * `licenses.acquire`.
 */
export function nameInClient(path: string, operationId: string): { resource: string; method: string } {
  const segments = path.split('/').filter((segment) => segment !== '' && !/^v\d+$/.test(segment));
  const [first = '', ...rest] = segments.filter((segment) => !segment.startsWith('{'));
  const resourceWords = wordsOf(SPELLED_OUT[first] ?? first);
  const resource = camelCase(resourceWords);
  const [verb = ''] = rest;
  const isVerb = rest.length === 1 && segments.at(-1) === verb && wordsOf(operationId)[0] === verb;
  const method = isVerb ? verb : camelCase(without(wordsOf(operationId), resourceWords));
  for (const name of [resource, method]) {
    if (!/^[a-z][A-Za-z0-9]*$/.test(name) || RESERVED.has(name)) {
      throw new Error(`${operationId} at ${path} would be ${resource}.${method} in the client: name it otherwise`);
    }
  }
  return { resource, method };
}

const HEADER = `// Made by tools/generate.ts from openapi.json; never edited.

import type { CreateResource, OperationRow, Resource } from '../operation-types.ts';
`;

/** Words that a path abbreviates and an operation's id does not. */
const SPELLED_OUT: Readonly<Record<string, string>> = { orgs: 'organizations' };

/** What the client is itself, and what a promise or a JavaScript object would be taken for. */
const RESERVED = new Set(['request', 'constructor', 'then', 'toString', 'toJSON', 'valueOf']);

interface Row {
  method: string;
  path: string;
  operation: Operation;
}

function groupByResource(document: ApiDocument): Map<string, Map<string, Row>> {
  const resources = new Map<string, Map<string, Row>>();
  // The client answers when an answer is complete, which a stream never is.
  for (const row of operationsOf(document).filter(({ operation }) => !isStream(operation))) {
    const { resource, method } = nameInClient(row.path, row.operation.operationId);
    const methods = resources.get(resource) ?? new Map<string, Row>();
    const other = methods.get(method);
    if (other !== undefined) {
      const ids = `${other.operation.operationId} and ${row.operation.operationId}`;
      throw new Error(`${ids} would both be ${resource}.${method} in the client: name one of them otherwise`);
    }
    resources.set(resource, methods.set(method, row));
  }
  return resources;
}

function isStream({ responses }: Operation): boolean {
  return Object.values(responses).some((answer) => answer.content?.['text/event-stream'] !== undefined);
}

function describeRow(name: string, { method, path, operation }: Row): string {
  const parameters = operation.parameters ?? [];
  const members = [
    `id: '${operation.operationId}'`,
    `method: '${method.toUpperCase()}'`,
    `path: '${path}'`,
    ...((operation.security ?? []).length > 0 ? ['token: true'] : []),
    ...(parameters.some(({ in: place, name: header }) => place === 'header' && header === 'Idempotency-Key')
      ? ['keyed: true']
      : []),
    ...(operation.requestBody === undefined ? [] : ['body: true']),
    ...(parameters.some(({ in: place }) => place === 'query') ? ['query: true'] : []),
    `answer: '${answerOf(operation)}'`,
  ];
  const line = `  ${propertyName(name)}: { ${members.join(', ')} },\n`;
  const text =
    line.length <= WIDTH
      ? line
      : `  ${propertyName(name)}: {\n${members.map((member) => `    ${member},\n`).join('')}  },\n`;
  return `${comment(`${operation.summary}.`, '  ')}${text}`;
}

const WIDTH = 121;

/** What the body of a success is: the envelope, a page of a list, JSON of another shape, bytes, or nothing. */
function answerOf({ responses }: Operation): string {
  const [answer] = Object.entries(responses).flatMap(([status, each]) => (Number(status) < 300 ? [each] : []));
  const [content] = Object.entries(answer?.content ?? {});
  if (content === undefined) {
    return 'nothing';
  }
  const [contentType, { schema }] = content;
  if (contentType !== 'application/json') {
    return contentType.endsWith('json') ? 'json' : 'bytes';
  }
  return schema.properties?.pagination === undefined ? 'data' : 'list';
}

/** The words of a path's segment or of an operation's id, in small letters. */
function wordsOf(name: string): string[] {
  return [...name.matchAll(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g)].map(([word]) => word.toLowerCase());
}

/** The words without the first occurrence of others among them, whose last may be in the singular. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const plural = others.join(' ');
  const singular = plural.replace(/s$/, '');
  for (let at = 0; at + others.length <= words.length; at += 1) {
    const part = words.slice(at, at + others.length).join(' ');
    if (part === plural || part === singular) {
      return [...words.slice(0, at), ...words.slice(at + others.length)];
    }
  }
  return [...words];
}

function camelCase(words: readonly string[]): string {
  return words.map((word, at) => (at === 0 ? word : word.replace(/^./, (first) => first.toUpperCase()))).join('');
}

function constantName(resource: string): string {
  return wordsOf(resource).join('_').toUpperCase();
}
