import { type Answer, type ApiDocument, follow, nameIn, type Operation, operationsOf } from './api-document.ts';
import {
  arrayOf,
  comment,
  describe,
  isPlainObject,
  propertyName,
  type Schema,
  typeOf,
  unionOf,
} from './schema-type.ts';

/**
 * The TypeScript types of an API: a declaration for each named schema and each body, one table of all error codes and one
 * of all operations. The same document gives the same text.
 */
export function apiTypes(document: ApiDocument): string {
  const names = new Names(document);
  const errors = new ErrorTable(names);
  const operations = operationsOf(document).map(({ method, path, operation }) =>
    readOperation(method, path, operation, names, errors),
  );
  const common = errors.inAll(operations);
  const ofTokens = errors.inAll(operations.filter(needsToken)).filter((code) => !common.includes(code));
  const table = operations.map((each) => describeOperation(each, common, ofTokens)).join('\n');
  return [
    HEADER,
    ...names.declarations(),
    errors.declaration(names),
    `/** The codes that every operation can answer. */\nexport type CommonErrorCode =${padded(common)};\n`,
    `/** The codes that every operation which needs a token can answer besides. */\nexport type TokenErrorCode =${padded(ofTokens)};\n`,
    `/** Every operation: how it is called, what it takes, what \`data\` it answers, and with which codes it refuses. */
export interface Operations {\n${table}}\n`,
  ].join('\n');
}

const HEADER = '// Made by tools/generate.ts from openapi.json; never edited.\n';

/** One operation with the types of its parts, before the codes that all have in common are known. */
interface OperationTypes {
  operation: Operation;
  members: readonly string[];
  codes: readonly string[];
}

const INSIDE = '    ';

function readOperation(
  method: string,
  path: string,
  operation: Operation,
  names: Names,
  errors: ErrorTable,
): OperationTypes {
  const name = operation.operationId.replace(/^./, (first) => first.toUpperCase());
  const body = operation.requestBody?.content['application/json']?.schema;
  const members = [
    `method: ${quote(method.toUpperCase())};`,
    `path: ${quote(path)};`,
    ...parametersOf(operation, 'path', 'params', names),
    ...parametersOf(operation, 'query', 'query', names),
    ...(body === undefined ? [] : [`body: ${names.declare(`${name}Body`, body)};`]),
    ...describeSuccess(name, operation, names),
  ];
  const codes: string[] = [];
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (status === 'default' || Number(status) >= 400) {
      codes.push(...errors.add(status, answer));
    }
  }
  return { operation, members, codes };
}

function parametersOf(operation: Operation, place: string, member: string, names: Names): string[] {
  const found = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
  if (found.length === 0) {
    return [];
  }
  const schema: Schema = {
    type: 'object',
    properties: Object.fromEntries(
      found.map(({ name, schema: own, description }) => [
        name,
        description === undefined ? own : { ...own, description },
      ]),
    ),
    required: found.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
  return [`${member}: ${names.typeOf(schema, INSIDE)};`];
}

/** `data` of the first status of success; the others carry the same. What has no envelope names its content type. */
function describeSuccess(name: string, operation: Operation, names: Names): string[] {
  const [answer] = Object.entries(operation.responses).flatMap(([status, each]) =>
    Number(status) < 300 ? [each] : [],
  );
  const [content] = Object.entries(answer?.content ?? {});
  if (content === undefined) {
    return ['data: undefined;'];
  }
  const [contentType, { schema }] = content;
  if (contentType !== 'application/json') {
    const type = contentType.endsWith('json') ? names.declare(`${name}Data`, schema) : 'ArrayBuffer';
    return [`contentType: ${quote(contentType)};`, `data: ${type};`];
  }
  const { data, pagination } = schema.properties ?? {};
  if (pagination === undefined) {
    return [`data: ${names.declare(`${name}Data`, data ?? {})};`];
  }
  return [`data: ${arrayOf(names.declare(`${name}Item`, data?.items ?? {}))};`, 'isList: true;'];
}

function describeOperation(types: OperationTypes, common: readonly string[], ofTokens: readonly string[]): string {
  const { operation, members, codes } = types;
  const groups = needsToken(types) ? ['CommonErrorCode', 'TokenErrorCode'] : ['CommonErrorCode'];
  const own = codes.filter((code) => !common.includes(code) && !(needsToken(types) && ofTokens.includes(code)));
  const refusals = `errors:${padded([...groups, ...own.map(quote)], INSIDE, (type) => type)};`;
  const lines = [...members, refusals].map((line) => `${INSIDE}${line}\n`).join('');
  const text = `${operation.summary}. ${operation.description ?? ''}`.trim();
  return `${comment(text, '  ')}  ${propertyName(operation.operationId)}: {\n${lines}  };\n`;
}

function needsToken({ operation }: OperationTypes): boolean {
  return (operation.security ?? []).length > 0;
}

/** A union after its equals sign or colon, on the same line or on lines of its own. */
function padded(names: readonly string[], indent = '', write = quote): string {
  const union = names.length === 0 ? 'never' : unionOf(names.map(write), indent);
  return union.startsWith('\n') ? union : ` ${union}`;
}

/** Every schema that gets a declaration of its own: the components in use, the titled ones inside others, and the bodies. */
class Names {
  readonly #schemas = new Map<string, Schema>();

  readonly #document: ApiDocument;

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  /** The schema that a reference means. */
  follow(schema: Schema): Schema {
    return follow(schema, this.#document.components.schemas);
  }

  typeOf(schema: Schema, indent = ''): string {
    return typeOf(schema, (each) => this.#nameTitled(each), indent);
  }

  /** The name under which a schema is declared: its own where it has one, else the one given. */
  declare(name: string, schema: Schema): string {
    if (schema.$ref !== undefined) {
      return this.typeOf(schema);
    }
    const title = this.#nameTitled(schema);
    return title ?? this.#note(name, schema);
  }

  /** All declarations by name. Describing one may find another inside it, so the list grows while it is made. */
  declarations(): string[] {
    const made = new Map<string, string>();
    for (let before = -1; before < made.size; ) {
      before = made.size;
      for (const [name, schema] of this.#schemas) {
        made.set(name, made.get(name) ?? this.#declaration(name, schema));
      }
    }
    return [...made].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  }

  #declaration(name: string, schema: Schema): string {
    const type = describe(schema, (each) => this.#nameTitled(each));
    const text = isPlainObject(schema) ? `interface ${name} ${type}\n` : `type ${name} = ${type};\n`;
    return `${comment(schema.description)}export ${text}`;
  }

  #nameTitled(schema: Schema): string | undefined {
    if (schema.$ref !== undefined) {
      return this.#note(nameIn(schema.$ref), this.follow(schema));
    }
    return schema.title === undefined ? undefined : this.#note(schema.title, schema);
  }

  #note(name: string, schema: Schema): string {
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas are named ${name}`);
    }
    this.#schemas.set(name, schema);
    return name;
  }
}

/** Every error code of the API: one status and one shape of details for each, for every route. */
class ErrorTable {
  readonly #names: Names;
  readonly #errors = new Map<string, { status: number; details: Schema | undefined; when: string | undefined }>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** Notes the codes of one answer and returns them. The default answer names the status of each. */
  add(status: string, answer: Answer): string[] {
    const body = answer.content?.['application/json']?.schema ?? {};
    const error = this.#names.follow(body.properties?.error ?? {});
    const meanings = new Map(
      (answer.description ?? '').split('\n\n').map((line) => {
        const [, code = '', own = status, when = ''] = /^`(\w+)`(?: \((\d+)\))?: (.*)$/s.exec(line) ?? [];
        return [code, { status: Number(own), when }];
      }),
    );
    return (error.oneOf ?? [error]).map((branch) => {
      const schema = this.#names.follow(branch);
      const code = String(schema.properties?.code?.enum?.[0]);
      const meaning = meanings.get(code) ?? { status: Number(status), when: undefined };
      const found = { ...meaning, details: schema.properties?.details };
      const known = this.#errors.get(code);
      if (
        known !== undefined &&
        JSON.stringify([known.status, known.details]) !== JSON.stringify([found.status, found.details])
      ) {
        throw new Error(`the error code ${code} has two statuses or two shapes of details`);
      }
      this.#errors.set(code, known ?? found);
      return code;
    });
  }

  /** The codes that all of these operations can answer. */
  inAll(operations: readonly OperationTypes[]): string[] {
    return this.#codes().filter((code) => operations.every(({ codes }) => codes.includes(code)));
  }

  declaration(names: Names): string {
    const properties = this.#codes().map((code): [string, Schema] => {
      const { status, details, when } = this.#errors.get(code) ?? { status: 0, details: undefined, when: undefined };
      const members = details === undefined ? { status: { const: status } } : { status: { const: status }, details };
      const schema = { type: 'object', properties: members, required: Object.keys(members) };
      return [code, when === undefined ? schema : { ...schema, description: when }];
    });
    const codes = { type: 'object', properties: Object.fromEntries(properties), required: this.#codes() };
    return `/** Every error code, its status and the shape of its details. */
export interface ApiErrors ${names.typeOf(codes)}\n
export type ErrorCode = keyof ApiErrors;\n`;
  }

  #codes(): string[] {
    return [...this.#errors.keys()].sort();
  }
}

function quote(text: string): string {
  return `'${text}'`;
}
